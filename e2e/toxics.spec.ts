import type {Page} from '@playwright/test'
import {answers, ask, expect, test} from './fixtures.ts'
import {Cable} from './support/cable.ts'
import {
  conversationId,
  copiedAnswer,
  lastMessage,
  newChat,
  storedAnswer,
  type StoredMessage,
} from './support/chat-page.ts'
import {Installation} from './support/installation.ts'
import type {ModelServer} from './support/model-server.ts'
import {demanding} from './support/texts.ts'
import {
  clean,
  delayedClose,
  cutAfter,
  hangAfter,
  delayed,
  narrow,
  resetAfter,
  seeded,
  sliced,
  type Toxic,
} from './support/toxics.ts'
import {isFull, long, some} from './support/full-run.ts'

/*
 * The seven toxics of security R75, between the browser and the server and between the server and the model. Whatever
 * they do, a message that is finished is what the provider sent, to the byte. The default run tries one of them before
 * the server (`chat-network.spec.ts` cuts that connection, `chat-failures.spec.ts` the one behind), the full run all,
 * and more of each.
 */

/** The provider is behind a cable too, and the installation another one. */
const testBehind = test.extend<object, {upstream: Cable}>({
  upstream: [
    async ({modelServer}, give) => {
      const cable = await Cable.to(Number(new URL(modelServer.baseUrl).port))
      await give(cable)
      await cable.dispose()
    },
    {scope: 'worker'},
  ],
  installation: [
    async ({upstream}, give) => {
      const installation = await Installation.start({
        OPENAI_BASE_URL: `${upstream.url}/v1`,
        OPENAI_API_KEY: 'sk-canary-e2e',
      })
      await give(installation)
      await installation.dispose()
    },
    {scope: 'worker'},
  ],
})

const random = seeded(75)
const upTo = (most: number) => Math.floor(random() * most)
const question = 'Everything'

async function askAnew(page: Page, modelServer: ModelServer): Promise<void> {
  modelServer.answer(demanding)
  await newChat(page)
  await expect(answers(page)).toHaveCount(0)
  await ask(page, question)
}

/** A first answer, after which the page has loaded all that it shows answers with. */
async function warmUp(page: Page, modelServer: ModelServer): Promise<void> {
  await ask(page, 'Ready?')
  await expect(lastMessage(page)).toContainText('You said: Ready?')
  await expect(stop(page)).toHaveCount(0)
  modelServer.prompts.length = 0
}

const stop = (page: Page) => page.getByRole('button', {name: 'Stop'})

/** The page shows, copies and the server keeps all that the provider wrote, asked once. */
async function expectWhole(page: Page): Promise<void> {
  await expect(lastMessage(page)).toContainText('The last words of it.')
  await expect(stop(page)).toHaveCount(0)
  await expect(answers(page)).toHaveCount(2)
  expect((await copiedAnswer(page)).replaceAll('\r\n', '\n')).toBe(demanding.replaceAll('\r\n', '\n'))
  expect(await storedAnswer(page, await conversationId(page))).toMatchObject({content: demanding, state: 'finished'})
}

test.describe('between browser and server', () => {
  const sizes = Array.from({length: 64}, (_, index) => index + 1) as [number, ...number[]] // as: not empty
  const slow: {name: string; answers: Toxic; requests: Toxic}[] = [
    {name: 'latency with jitter', answers: delayed(20, 60, random), requests: delayed(20, 60, random)},
    {name: 'a narrow line', answers: narrow(isFull ? 6_000 : 20_000), requests: narrow(20_000)},
    {name: 'single bytes', answers: sliced(1), requests: sliced(1)},
    {name: 'slices of every size', answers: sliced(...sizes), requests: sliced(...sizes)},
  ]
  for (const {name, answers: toAnswers, requests} of some(slow)) {
    test(`${name}: the answer is whole, and asked once`, async ({wired: {page, cable}, modelServer}) => {
      cable.poison(toAnswers, requests)
      await askAnew(page, modelServer)
      await expect(lastMessage(page)).toContainText('The last words of it.')
      await expect(stop(page)).toHaveCount(0)
      cable.heal()
      await expectWhole(page)
      expect(modelServer.prompts).toEqual([question])
    })
  }

  const positions = isFull ? [0, 1, 200, ...Array.from({length: 12}, () => 300 + upTo(5_000))] : [0, 2_500]
  for (const [name, toxic] of some([
    ['closed', cutAfter],
    ['reset', resetAfter],
  ] as const)) {
    test(
      `${name} after some bytes: the page gets the rest, and the provider is asked once`,
      long,
      async ({wired: {page, cable}, modelServer}) => {
        test.setTimeout(300_000)
        await warmUp(page, modelServer)
        for (const position of positions) {
          await test.step(`${position} bytes`, async () => {
            modelServer.prompts.length = 0
            cable.poison(toxic(position))
            await askAnew(page, modelServer)
            // a position behind the end of the answer is not reached
            const isThere = async () => (await lastMessage(page).textContent())?.includes('The last words') === true
            await expect.poll(async () => cable.bitten > 0 || (await isThere())).toBe(true)
            // the connections that are left break: a later request of one of them would reach the position
            cable.poison(clean)
            await expectWhole(page)
            expect(modelServer.prompts).toEqual([question])
          })
        }
      },
    )
  }

  for (const position of isFull ? [0, 200, 2_500, 4_000] : []) {
    test(`silent after ${position} bytes: the page notices, and gets the rest`, async ({
      wired: {page, cable},
      modelServer,
    }) => {
      await warmUp(page, modelServer)
      await page.clock.install()
      cable.poison(hangAfter(position))
      const asked = page.waitForRequest((request) => request.postData()?.includes(question) === true)
      await askAnew(page, modelServer)
      await asked
      if (position > 1_000) await expect(lastMessage(page)).toContainText('Tea is')
      await expect.poll(() => modelServer.prompts).toEqual([question])
      cable.heal()
      await page.clock.fastForward(61_000)
      await expectWhole(page)
      expect(modelServer.prompts).toEqual([question])
    })
  }

  if (!isFull) return
  test('the server is gone and the page is told late: it gets the rest', async ({
    wired: {page, cable},
    modelServer,
  }) => {
    await warmUp(page, modelServer)
    cable.poison(delayedClose(300))
    modelServer.hold(4)
    await askAnew(page, modelServer)
    await expect(lastMessage(page)).toContainText('Tea is')
    cable.loseServer()
    cable.heal()
    modelServer.release()
    await expectWhole(page)
    expect(modelServer.prompts).toEqual([question])
  })
})

test.describe('between server and provider', long, () => {
  const test = testBehind
  test.afterEach(({upstream}) => upstream.heal())

  const isBeginning = ({content}: StoredMessage) => demanding.startsWith(String(content))

  for (const [name, toxic] of some([
    ['reset', resetAfter],
    ['closed', cutAfter],
  ] as const)) {
    test(`${name} after some bytes: never finished with less than was sent; Retry works`, async ({
      chat: page,
      upstream,
      modelServer,
    }) => {
      test.setTimeout(300_000)
      const positions = isFull ? [0, 1, 100, ...Array.from({length: 12}, () => 300 + upTo(12_000))] : [0, 3_000]
      for (const position of positions) {
        await test.step(`${position} bytes`, async () => {
          upstream.poison(toxic(position))
          await askAnew(page, modelServer)
          await expect(answers(page)).toHaveCount(2)
          const settled = lastMessage(page).getByRole('button', {name: /^(Retry|Answer again)$/})
          await settled.waitFor()
          upstream.heal()
          const stored = await storedAnswer(page, await conversationId(page))
          if (stored.state === 'finished') return expectWhole(page)
          expect(stored.state).toBe('failed')
          expect(isBeginning(stored)).toBe(true)
          await settled.click()
          await expectWhole(page)
        })
      }
    })
  }

  if (!isFull) return
  for (const [name, toxic] of [
    ['latency with jitter', delayed(10, 30, random)],
    ['single bytes', sliced(1)],
    ['slices of three sizes', sliced(2, 7, 31)],
    ['a narrow line', narrow(20_000)],
  ] as const) {
    test(`${name}: the answer is whole`, async ({chat: page, upstream, modelServer}) => {
      upstream.poison(toxic)
      await askAnew(page, modelServer)
      await expectWhole(page)
    })
  }

  test('a provider that falls silent can be stopped: the text is kept, and Retry works', async ({
    chat: page,
    upstream,
    modelServer,
  }) => {
    upstream.poison(hangAfter(3_000))
    await askAnew(page, modelServer)
    await expect(lastMessage(page)).toContainText('Tea is')
    await stop(page).click()
    await expect(lastMessage(page)).toContainText('Stopped.')
    const id = await conversationId(page)
    await expect.poll(() => storedAnswer(page, id)).toMatchObject({state: 'failed', outcome: 'stopped'})
    expect(isBeginning(await storedAnswer(page, id))).toBe(true)
    // also the connections that the server keeps for the next call: each of them still hangs
    upstream.poison(clean)
    await lastMessage(page).getByRole('button', {name: 'Retry'}).click()
    await expectWhole(page)
  })
})
