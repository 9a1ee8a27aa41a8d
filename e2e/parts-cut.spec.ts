import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import type {Page} from '@playwright/test'
import {readLocale} from '#tools/locales.mjs'
import {ask, composer, expect, test} from './fixtures.ts'
import {answers, ended, moreActions} from './support/chat-page.ts'
import {cards, generate, made, openTool, settings} from './support/media-page.ts'
import {long} from './support/full-run.ts'

/*
 * The first download of every file that is loaded lazily fails, scripts, styles and words alike. Each is asked for
 * again: no part says that it stopped, and no page is loaded again.
 */

/** Cuts the first request of each file but those of the first screen; says which. */
async function cutEachOnce(page: Page): Promise<Set<string>> {
  const cut = new Set<string>()
  await page.route(/\/assets\/(?!app-)[^?]+\.(js|css)$/, (route) => {
    const {pathname} = new URL(route.request().url())
    if (cut.has(pathname)) return route.continue()
    cut.add(pathname)
    return route.abort()
  })
  return cut
}

const english = Object.values(readLocale('en')).filter((message) => message.length > 20)

/** Words are scripts too: they are told by the messages in them. */
function kindOf(file: string): 'words' | 'style' | 'script' {
  if (file.endsWith('.css')) return 'style'
  const text = readFileSync(join('dist/client', file), 'utf8')
  return english.filter((message) => text.includes(message)).length > 4 ? 'words' : 'script'
}

/** Many files were cut, and of each kind some. */
function expectEachKind(cut: ReadonlySet<string>): void {
  expect(cut.size).toBeGreaterThan(20)
  expect(new Set([...cut].map(kindOf))).toEqual(new Set(['words', 'style', 'script']))
}

const markPage = (page: Page) => page.evaluate(() => performance.mark('same page'))

/** The page is the one that was marked, each part of it is there, and each has its styles. */
async function expectWhole(page: Page): Promise<void> {
  await expect(page.getByText('This part stopped working.')).toHaveCount(0)
  await expect
    .poll(() =>
      page.evaluate(() => ({
        isSame: performance.getEntriesByName('same page').length > 0,
        unstyled: [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')]
          .filter(({sheet}) => sheet === null)
          .map(({href}) => href),
      })),
    )
    .toEqual({isSame: true, unstyled: []})
}

test('a chat whose parts fail once each answers, and opens what it offers', long, async ({chat, modelServer}) => {
  const cut = await cutEachOnce(chat)
  await chat.reload()
  await composer(chat).waitFor()
  await markPage(chat)
  modelServer.answer('Water *boils* at 100 °C.\n\n```js\nconst a = 1\n```\n\n$$a^2$$')
  await ask(chat, 'When does water boil?')
  await ended(chat)
  await expect(answers(chat).last()).toContainText('boils')
  await expect(answers(chat).last().locator('.katex')).toBeVisible()

  await chat.getByRole('button', {name: /^Model: /}).click()
  await expect(chat.getByRole('gridcell').first()).toBeVisible()
  await chat.keyboard.press('Escape')
  await answers(chat).last().hover()
  await moreActions(answers(chat).last()).click()
  await expect(chat.getByRole('menuitem').first()).toBeVisible()
  await chat.keyboard.press('Escape')
  await chat.keyboard.press('ControlOrMeta+k')
  const palette = chat.getByRole('dialog', {name: 'Search and commands'})
  await palette.getByRole('combobox').fill('settings data')
  await expect(palette.getByRole('option').first()).toContainText('Data')
  await chat.keyboard.press('Enter')
  await expect(chat.getByRole('tab', {name: 'Data', selected: true})).toBeVisible()
  await chat.keyboard.press('Escape')
  await chat.getByRole('button', {name: /^Tasks\b/}).click()
  await expect(chat.getByRole('dialog', {name: 'Tasks'})).toContainText('Nothing is running.')
  await chat.keyboard.press('Escape')
  await expectWhole(chat)
  expectEachKind(cut)
})

test('pages whose parts fail once each open what they offer', long, async ({chat}) => {
  const cut = await cutEachOnce(chat)
  await chat.reload()
  await composer(chat).waitFor()
  await markPage(chat)
  await chat.getByRole('link', {name: 'Console', exact: true}).click()
  await expect(chat.getByRole('heading', {name: 'Applications'}).first()).toBeVisible()
  await expectWhole(chat)
  await chat.getByRole('link', {name: 'Usage'}).first().click()
  await expect(chat).toHaveURL(/usages/)
  await expect(chat.getByRole('heading', {name: 'Usage'}).first()).toBeVisible()
  await expectWhole(chat)
  await chat.getByRole('link', {name: 'Image', exact: true}).click()
  await expect(settings(chat)).toBeVisible()
  await expectWhole(chat)
  expectEachKind(cut)
})

test('songs whose parts fail once each are listed and played', long, async ({chat}) => {
  const cut = await cutEachOnce(chat)
  await openTool(chat, '/suno')
  await markPage(chat)
  await generate(chat, 'a sea shanty')
  await cards(chat).first().getByRole('button', {name: /^Play/}).first().click()
  await expect(
    chat.getByRole('region', {name: 'Player'}).getByRole('button', {name: 'Pause', exact: true}),
  ).toBeVisible()
  await expectWhole(chat)
  expectEachKind(cut)
})

test('images whose parts fail once each are shown, also in the viewer', long, async ({chat}) => {
  const cut = await cutEachOnce(chat)
  await openTool(chat, '/flux')
  await markPage(chat)
  await generate(chat, 'a red kite over the sea')
  const card = cards(chat).first()
  await made(card.getByRole('button', {name: /^Open/}).first())
  await card.focus()
  await chat.keyboard.press('Enter')
  await expect(chat.getByRole('dialog', {name: 'Viewer'})).toBeVisible()
  await expectWhole(chat)
  expectEachKind(cut)
})
