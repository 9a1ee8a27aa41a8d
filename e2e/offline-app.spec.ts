import {randomUUID} from 'node:crypto'
import {ask, composer, expect, test} from './fixtures.ts'
import {copyOfBuild, entryOf, keptBuild, renewBuild} from './support/builds.ts'
import {answers, chooseAction, chooseModel, ended, lastMessage, newChat, row} from './support/chat-page.ts'
import {clipboard} from './support/clipboard.ts'
import {long} from './support/full-run.ts'
import {openImageHost} from './support/image-host.ts'
import {Installation} from './support/installation.ts'
import {pixel} from './support/pixel.ts'
import {askAndRead, edit, expectMessages, pager} from './support/message-versions.ts'
import {blankTab} from './support/signed-in.ts'
import {createUser} from './support/users.ts'

/* The service worker: the app opens without its server, and a new build never comes under an open page. */

test.use({serviceWorkers: 'allow'})

test.describe('a build and a server of its own', () => {
  let installation: Installation
  let build: ReturnType<typeof copyOfBuild>
  test.beforeAll(async ({modelServer}) => {
    build = copyOfBuild()
    installation = await Installation.start(
      {OPENAI_BASE_URL: modelServer.baseUrl, OPENAI_API_KEY: 'sk-canary-e2e'},
      build.folder,
    )
  })
  test.afterAll(async () => {
    await installation.dispose()
    build.remove()
  })
  test.beforeEach(({modelServer, watch}) => {
    modelServer.reset()
    watch.allow(installation.url)
  })

  test('without its server the page opens with the list and a conversation that was read; nothing private is kept for it', async ({
    context,
    modelServer,
    watch,
  }) => {
    const host = await openImageHost()
    watch.allow(host.url)
    const signedIn = await createUser(installation.url)
    const page = await blankTab(context, installation.url, signedIn)
    await page.goto(`${installation.url}/chatgpt/conversations`)
    modelServer.answer(`The harbour opens at **six**.\n\n![A boat](${host.url}/boat.png)`)
    await ask(page, 'When does the harbour open?')
    await ended(page)
    await expect(answers(page).last()).toContainText('The harbour opens at six.')
    const address = page.url()
    await keptBuild(page, await entryOf(page))
    // neither the frame of a foreign image nor the image is the worker's
    const frame = page.waitForResponse((response) => response.url().endsWith('/image-frame.html'))
    await lastMessage(page)
      .getByRole('button', {name: /^Load from/})
      .click()
    await expect(lastMessage(page).getByTitle('A boat').locator('..')).toHaveAttribute('aria-busy', 'false')
    expect((await frame).fromServiceWorker()).toBe(false)
    await host.close()

    const {urls, text} = await page.evaluate(async () => {
      const responses = []
      for (const name of await caches.keys()) {
        const cache = await caches.open(name)
        for (const request of await cache.keys())
          responses.push({url: request.url, response: await cache.match(request)})
      }
      const texts = await Promise.all(
        responses.filter(({url}) => !url.includes('/assets/')).map(async ({response}) => response?.text()),
      )
      return {urls: responses.map(({url}) => new URL(url).pathname), text: texts.join()}
    })
    expect(urls.filter((url) => !url.startsWith('/assets/'))).toEqual(['/'])
    expect(text).not.toContain(signedIn.user.email)
    expect(text).not.toMatch(/harbour|token/i)

    await installation.stop()
    try {
      await page.goto(`${installation.url}/chatgpt/conversations`)
      // once the list was asked for in vain, and not only until then
      await expect(page.getByText('These conversations are kept on this device.')).toBeVisible({timeout: 30_000})
      await expect(row(page, /harbour/i)).toBeVisible()
      await row(page, /harbour/i)
        .getByRole('link')
        .click()
      await expect(answers(page).last()).toContainText('The harbour opens at six.')
      await expect(page).toHaveURL(address)

      // the browser says so itself: parts come from what is kept
      await context.setOffline(true)
      const asked: string[] = []
      page.on('request', (request) => asked.push(new URL(request.url()).pathname))
      await page.goto(address)
      await expect(answers(page).last()).toContainText('The harbour opens at six.')
      // what is kept is shown at once: nothing that it can do without was asked for again
      expect(await page.evaluate(() => navigator.onLine)).toBe(false)
      for (const path of [/\/users\/me$/, /\/sites\/$/]) {
        const times = asked.filter((each) => path.test(each)).length
        expect(times, String(path)).toBe(1)
      }
      await expect(page.getByText('These conversations are kept on this device.')).toBeVisible({timeout: 30_000})
      await expect(row(page, /harbour/i)).toBeVisible()
      await page.getByRole('button', {name: 'Account'}).click()
      await page.getByRole('menuitem', {name: 'Settings'}).click()
      await expect(page.getByRole('dialog', {name: 'Settings'})).toBeVisible()
      await context.setOffline(false)
    } finally {
      await installation.restart()
    }
  })

  test(
    'without its server, versions that were read are paged to and linked to, and none is chosen',
    long,
    async ({context}) => {
      await context.grantPermissions(['clipboard-read', 'clipboard-write'])
      const signedIn = await createUser(installation.url)
      const page = await blankTab(context, installation.url, signedIn)
      await page.goto(`${installation.url}/chatgpt/conversations`)
      await askAndRead(page, 'one')
      await askAndRead(page, 'two')
      await chooseAction(answers(page).nth(1), 'Copy link')
      await expect.poll(() => clipboard(page)).toContain('#')
      const link = await clipboard(page)
      await edit(answers(page).first(), 'uno', 'Save & ask again')
      await expectMessages(page, 'uno', 'said: uno')
      await ended(page)
      const turn = (to: 'Previous' | 'Next') =>
        pager(answers(page).first())
          .getByRole('button', {name: `${to} version`})
          .press('Enter')
      await turn('Previous')
      await expectMessages(page, 'one', 'said: one', 'two', 'said: two')
      await turn('Next')
      await expectMessages(page, 'uno', 'said: uno')
      await keptBuild(page, await entryOf(page))

      await installation.stop()
      try {
        await context.setOffline(true)
        await turn('Previous')
        await expectMessages(page, 'one', 'said: one', 'two', 'said: two')
        await turn('Next')
        await expectMessages(page, 'uno', 'said: uno')
        await page.goto('about:blank')
        await page.goto(link)
        await expectMessages(page, 'one', 'said: one', 'two', 'said: two')
        await expect(answers(page).nth(1)).toBeFocused()
        const missing = page.getByRole('status').filter({hasText: 'The message of this link is not here.'})
        await expect(missing).toHaveCount(0)
        await page.goto('about:blank')
        await page.goto(`${link.slice(0, link.indexOf('#'))}#${randomUUID()}`)
        await expectMessages(page, 'uno', 'said: uno')
        await expect(missing).toBeVisible()
        await context.setOffline(false)
      } finally {
        await installation.restart()
      }
      await page.goto(link.slice(0, link.indexOf('#')))
      await expectMessages(page, 'uno', 'said: uno')
    },
  )

  test(
    'without its server, images and files that were seen are there, until their user signs out',
    long,
    async ({context, modelServer}) => {
      const page = await blankTab(context, installation.url, await createUser(installation.url))
      await page.goto(`${installation.url}/chatgpt/conversations`)
      modelServer.answer('A heron.')
      await page.locator('main input[type=file]').setInputFiles([
        {name: 'heron.png', mimeType: 'image/png', buffer: pixel},
        {name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('heron in the reeds')},
        {name: 'unseen.txt', mimeType: 'text/plain', buffer: Buffer.from('never opened')},
      ])
      await expect(page.getByText('Ready')).toHaveCount(3)
      await ask(page, 'What is it?')
      await ended(page)
      const image = page.getByRole('main').locator('a[href*="heron.png"] img')
      const widthOf = () => image.evaluate((each) => (each instanceof HTMLImageElement ? each.naturalWidth : 0))
      const openNotes = async () => {
        const opening = context.waitForEvent('page')
        await page.getByRole('link', {name: 'notes.txt'}).click()
        const opened = await opening
        await opened.waitForLoadState()
        const text = await opened.evaluate(() => document.body.textContent)
        await opened.close()
        return text
      }
      const seenNames = () =>
        page.evaluate(async () => {
          const names = (await caches.keys()).filter((name) => name.startsWith('atrium-files '))
          const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
          return requests.flat().map(({url}) => url.slice(url.lastIndexOf('/') + 1))
        })
      await expect.poll(widthOf).toBe(1)
      await keptBuild(page, await entryOf(page))
      await expect.poll(seenNames).toEqual(['heron.png'])
      expect(await openNotes()).toContain('in the reeds')
      await expect.poll(seenNames).toEqual(['heron.png', 'notes.txt'])

      // what the browser has beside it lasts as long as the browser likes
      const session = await context.newCDPSession(page)
      await session.send('Network.clearBrowserCache')
      await installation.stop()
      try {
        await page.reload()
        await expect(image).toBeVisible()
        await expect.poll(widthOf).toBe(1)
        expect(await openNotes()).toContain('in the reeds')
      } finally {
        await installation.restart()
      }

      await page.reload()
      await page.getByRole('button', {name: 'Account'}).click()
      await page.getByRole('menuitem', {name: 'Log out'}).click()
      await page.getByLabel('Email').waitFor()
      await expect.poll(seenNames).toEqual([])
    },
  )

  test(
    'without its server the models have the names, and their conversations the groups, that were read before',
    long,
    async ({context}) => {
      const page = await blankTab(context, installation.url, await createUser(installation.url))
      for (const group of ['deepseek', 'chatgpt']) {
        await page.goto(`${installation.url}/${group}/conversations`)
        await chooseModel(page, /^Sandbox/)
        await ask(page, 'Kites')
        await ended(page)
      }
      await newChat(page)
      const model = page.getByRole('button', {name: /^Model: /})
      const kites = row(page, /^Kites/)
      const seen = () => Promise.all([model.getAttribute('aria-label'), kites.allTextContents()])
      await expect(kites).toHaveCount(1)
      const online = await seen()
      await keptBuild(page, await entryOf(page))
      await installation.stop()
      try {
        // the second start has only what the first one kept
        for (const start of [1, 2]) {
          await page.reload()
          await expect(page.getByText('These conversations are kept on this device.')).toBeVisible({timeout: 30_000})
          expect(await seen(), `start ${start}`).toEqual(online)
        }
      } finally {
        await installation.restart()
      }
    },
  )

  test(
    'a question that was asked without a network is stopped after a reload, and is not sent when there is one',
    long,
    async ({context, modelServer}) => {
      const page = await blankTab(context, installation.url, await createUser(installation.url))
      await page.goto(`${installation.url}/chatgpt/conversations`)
      await ask(page, 'One')
      await ended(page)
      await keptBuild(page, await entryOf(page))
      await context.setOffline(true)
      await ask(page, 'Never mind')
      const waits = "It will be sent as soon as you're back online."
      await expect(lastMessage(page)).toContainText(waits)
      await page.reload()
      await expect(lastMessage(page)).toContainText(waits)
      await page.getByRole('button', {name: 'Stop', exact: true}).click()
      await expect(lastMessage(page)).toContainText('Stopped.')
      await context.setOffline(false)
      // what is asked next comes after all that was to go out
      await ask(page, 'Two')
      await expect(lastMessage(page)).toContainText('You said: Two')
      expect(modelServer.prompts).toEqual(['One', 'Two'])
    },
  )

  test(
    'over a network that leads nowhere the kept page opens after seconds, and comes from the server afterwards',
    long,
    async ({context}) => {
      const page = await blankTab(context, installation.url, await createUser(installation.url))
      await page.goto(`${installation.url}/chatgpt/conversations`)
      await composer(page).waitFor()
      await keptBuild(page, await entryOf(page))
      await installation.whileFrozen(async () => {
        await page.goto(`${installation.url}/chatgpt/conversations`, {waitUntil: 'commit', timeout: 30_000})
        await expect(composer(page)).toBeVisible()
      })
      await page.reload()
      await expect(composer(page)).toBeEnabled()
    },
  )

  test('a new build is offered to an open page, which goes on with its own until it is loaded again', async ({
    context,
  }) => {
    const page = await blankTab(context, installation.url, await createUser(installation.url))
    await page.goto(`${installation.url}/chatgpt/conversations`)
    await composer(page).waitFor()
    await composer(page).fill('half a thought')
    const before = await entryOf(page)
    await keptBuild(page, before)

    renewBuild(build.folder)
    await installation.restart()
    await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update())
    const notice = page.getByRole('status').filter({hasText: 'A new version is available.'})
    await expect(notice).toBeVisible()
    expect(await entryOf(page)).toBe(before)
    // a part that was never opened, and that the server has no more
    await page.getByRole('link', {name: 'Image', exact: true}).click()
    await expect(page.getByRole('button', {name: /^Generate/})).toBeVisible()

    await notice.getByRole('button', {name: 'Reload'}).click()
    await expect.poll(() => entryOf(page)).toMatch(/~\.js$/)
    await keptBuild(page, await entryOf(page))
    await expect.poll(() => page.evaluate(async () => (await caches.keys()).length)).toBe(1)
    await expect(notice).toHaveCount(0)
    await page.getByRole('link', {name: 'Chat', exact: true}).click()
    await expect(composer(page)).toHaveValue('half a thought')
  })
})
