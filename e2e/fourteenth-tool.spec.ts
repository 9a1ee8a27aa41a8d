import {expect, test} from '@playwright/test'
import {spawnSync} from 'node:child_process'
import {join} from 'node:path'
import {pathToFileURL} from 'node:url'
import locales from '#tests/contract/media/sketch.locales.json' with {type: 'json'}
import mark from '#tests/contract/media/sketch.mark.ts'
import {identity} from '#tests/contract/media/sketch.ts'
import {TreeWithTool} from '#tests/tools/tree-with-tool.ts'
import {acceptTerms, composer, newUser, register} from './fixtures.ts'
import {isFull} from './support/full-run.ts'
import {Installation} from './support/installation.ts'

/*
 * A fourteenth tool, of which nothing in the project knows: its two files, its words and its mark are laid beside the
 * others, the project is compiled and built as it is, and a user uses the tool. Two builds take a minute or more.
 */
test.skip(!isFull, 'for the full run')
test.setTimeout(900_000)

let tree: TreeWithTool
let served: Installation
test.beforeAll(async () => {
  tree = new TreeWithTool()
  const build = pathToFileURL(join(tree.folder, 'src/tools/build.mjs')).href
  run('--input-type=module', '--eval', `const {build} = await import(${JSON.stringify(build)}); await build()`)
  served = await Installation.start({}, tree.folder)
})
test.afterAll(async () => {
  await served?.dispose()
  tree?.remove()
})

/** Runs Node.js without the test's own environment: its NODE_ENV would make another build. */
function run(...parameters: string[]): void {
  const options = {cwd: tree.folder, env: {PATH: process.env.PATH}, encoding: 'utf8'} as const
  const {status, stdout, stderr} = spawnSync(process.execPath, parameters, options)
  expect([status, stdout, stderr.replace(/^npm warn.*\n/gm, '')]).toEqual([0, '', ''])
}

test('every part of the project compiles with it', () => {
  for (const project of ['tsconfig.json', 'machines/tsconfig.json', 'src/server/tsconfig.json'])
    run(join(tree.folder, 'node_modules/typescript/bin/tsc'), '-p', project, '--noEmit')
})

test('it stands in the navigation, has a screen, and makes what it is asked for', async ({page}) => {
  await register(page, served.url, newUser())
  await acceptTerms(page)
  await composer(page).waitFor()
  await page.goto(`${served.url}/flux`)
  await page.getByRole('button', {name: 'Change tool, Flux'}).click()
  const entry = page.getByRole('link', {name: identity.name})
  await expect(entry.locator(`path[d="${mark.glyph}"]`)).toBeAttached()
  await entry.click()
  await expect(page).toHaveURL(`${served.url}/${identity.id}`)
  await expect(page.getByText(locales.en.line.message).first()).toBeVisible()
  await expect(page.getByText(locales.en.exampleHarbour.message)).toBeVisible()

  await page.getByRole('textbox', {name: /^Prompt/}).fill('harbour')
  await page.getByRole('radiogroup', {name: locales.en.paper.message}).getByRole('radio', {name: '2:3'}).check()
  const asked = page.waitForRequest((request) => request.url().endsWith('/sketch-lab/sketches'))
  await page.getByRole('button', {name: /^Generate/}).click()
  expect((await asked).postDataJSON()).toMatchObject({prompt: 'harbour', paper: '2:3', async: true})
  const images = page.getByRole('article', {name: 'harbour'}).locator('img')
  await expect(images).toHaveCount(2)
  for (const image of await images.all()) {
    const size = () => image.evaluate((element: HTMLImageElement) => [element.naturalWidth, element.naturalHeight])
    await expect.poll(async () => (await size())[0]).toBeGreaterThan(0)
    const [width = 0, height = 1] = await size()
    expect(width / height).toBeCloseTo(2 / 3, 2)
  }
})
