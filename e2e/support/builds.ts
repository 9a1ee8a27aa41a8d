import {cpSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync} from 'node:fs'
import {join, resolve} from 'node:path'
import {expect, type Page} from '@playwright/test'

const project = resolve(import.meta.dirname, '../..')

/** A copy of the build that a test may replace; it finds its packages in the project. */
export function copyOfBuild(): {folder: string; remove: () => void} {
  const folder = mkdtempSync(join(project, '.cache/e2e-build-'))
  cpSync(join(project, 'dist'), join(folder, 'dist'), {recursive: true})
  return {folder, remove: () => rmSync(folder, {recursive: true, force: true})}
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder, {recursive: true, encoding: 'utf8'})
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())

/** The same build with other names for all of its files, as one has in which something has changed. */
export function renewBuild(folder: string): void {
  const client = join(folder, 'dist/client')
  const assets = join(client, 'assets')
  for (const path of filesIn(client)) if (/\.(br|gz)$/.test(path)) rmSync(path)
  const known = new Set(readdirSync(assets))
  const next = (name: string) => (known.has(name) ? name.replace(/.(?=\.(js|css)$)/, '~') : name)
  for (const path of filesIn(client)) {
    if (/\.(js|css|html|json)$/.test(path))
      writeFileSync(path, readFileSync(path, 'utf8').replaceAll(/[\w.-]+-[\w-]{7}\.(?:js|css)/g, next))
  }
  for (const name of known) renameSync(join(assets, name), join(assets, next(name)))
}

/** Path of the script that the page was loaded with. */
export const entryOf = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const scripts = [...document.querySelectorAll<HTMLScriptElement>('script[type="module"][src]')]
    return scripts.map(({src}) => new URL(src).pathname).find((path) => path.includes('/app-')) ?? ''
  })

/** The service worker has kept all of the build that has this entry. */
export const keptBuild = (page: Page, entry: string) =>
  expect
    .poll(() =>
      page.evaluate(
        async (file) => navigator.serviceWorker.controller !== null && (await caches.match(file)) !== undefined,
        entry,
      ),
    )
    .toBe(true)
