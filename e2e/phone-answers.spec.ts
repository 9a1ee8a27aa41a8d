import {expect, test} from './fixtures.ts'
import {composer, ended, lastMessage, thread} from './support/chat-page.ts'
import {clipboard, copied} from './support/clipboard.ts'
import {long} from './support/full-run.ts'
import {keepSpeech} from './support/kept-speech.ts'
import {messagesByTouch} from './support/phone-messages.ts'
import {anyPhone, askByTouch, expectForFingers, expectGoodInBothThemes} from './support/phone.ts'

/* A user copies an answer and reads its details by finger, on a phone in Arabic and in English. */

test.use(anyPhone)

const columns = Array.from({length: 8}, (_, index) => `The price at harbour ${index}`)
const table = `| ${columns.join(' | ')} |\n|${'--|'.repeat(columns.length)}\n|${columns.map((_, index) => ` ${index}.5 |`).join('')}`
const answer = `## أسعار\n\n**سمك** طازج\n\n${table}`

test(
  'reasoning is folded with its time; the answer is copied as Markdown, as text, its wide table as CSV',
  long,
  async ({chat, context, modelServer}) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    modelServer.answer(`<think>Fish is sold at the harbour.</think>\n\n${answer}`)
    modelServer.hold(2)
    const {word, button, choose} = await messagesByTouch(chat)
    await askByTouch(chat, 'كم؟')
    const message = lastMessage(chat)
    const summary = message.locator('summary')
    const timed = (id: string) => new RegExp(`^${word(id).replace('{time}', '.*[1-9١-٩].*')}$`)
    await expect(summary).toHaveText(timed('chat.thinkingFor'))
    modelServer.release()
    await ended(chat)
    await expect(summary).toHaveText(timed('chat.thoughtsFor'))
    await expect(message).not.toContainText('Fish is sold')
    expect((await summary.boundingBox())?.height).toBeGreaterThanOrEqual(44)
    await expectForFingers(chat, message)
    await expectGoodInBothThemes(chat, 'an answer with a table')
    await summary.tap()
    await expect(message).toContainText('Fish is sold at the harbour.')
    await expectGoodInBothThemes(chat, 'open reasoning')
    await summary.tap()
    await expect(message).not.toContainText('Fish is sold')
    await chat.reload()
    await expect(summary).toHaveText(timed('chat.thoughtsFor'))

    expect(await copied(button(message, 'chat.copyMarkdown'))).toContain(answer)
    await choose(message, 'chat.copyText')
    await expect.poll(() => clipboard(chat)).toMatch(/^أسعار\n\nسمك طازج\n\nThe price at harbour 0\t/)
    const csv = button(message, 'chat.copyTable')
    await expect(csv).toBeInViewport()
    expect(await copied(csv)).toBe(`${columns.join()}\r\n${columns.map((_, index) => `${index}.5`).join()}\r\n`)
    // the table alone is swiped
    const box = message.getByRole('table').locator('..')
    expect(await box.evaluate(({scrollWidth, clientWidth}) => scrollWidth > clientWidth)).toBe(true)
  },
)

test(
  'an answer is read aloud and tells its model, time, tokens and cost',
  long,
  async ({chat, context, modelServer}) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await keepSpeech(chat)
    await chat.reload()
    await composer(chat).waitFor()
    const {word, button, choose, askAndRead} = await messagesByTouch(chat)
    modelServer.answer('The **tide** is out.')
    await askAndRead('المد؟', 'is out.')
    const message = lastMessage(chat)
    const stop = button(message, 'chat.stopReading')
    await choose(message, 'chat.readAloud')
    await expect.poll(() => chat.evaluate(() => window.speechRead)).toEqual(['en: The tide is out.'])
    await expectForFingers(chat, message)
    await expectGoodInBothThemes(chat, 'an answer that is read aloud')
    await stop.tap()
    await expect(stop).toHaveCount(0)
    expect(await chat.evaluate(() => window.speechNow())).toBe(undefined)
    await choose(message, 'chat.readAloud')
    await expect(stop).toBeVisible()
    await chat.evaluate(() => window.speechEnds())
    await expect(stop).toHaveCount(0)

    await expect(message.locator('time')).toBeVisible()
    await expect(message.getByText(/GPT-5/)).toBeVisible()
    await choose(message, 'chat.details')
    const details = chat.getByRole('dialog', {name: word('chat.details')})
    const terms = ['model', 'detailsAsked', 'detailsTook', 'detailsTokensEstimated', 'detailsCost', 'detailsTrace']
    await expect(details.getByRole('term')).toHaveText(terms.map((id) => word(`chat.${id}`)))
    await expectForFingers(chat, details)
    await expectGoodInBothThemes(chat, 'details')
    const trace = await copied(button(details, 'chat.detailsCopyTrace'))
    await expect(details.getByRole('definition').last()).toContainText(trace)
    await chat.keyboard.press('Escape')
    await expect(details).toHaveCount(0)

    // the browser has an English voice alone
    modelServer.answer('الجزر الآن.')
    await askAndRead('والآن؟', 'الجزر')
    await choose(lastMessage(chat), 'chat.readAloud')
    await expect(lastMessage(chat).getByText(word('chat.noVoice'))).toBeVisible()
    await expectGoodInBothThemes(chat, 'no voice')
  },
)

test('the detail of a failure stands below its sentence, all its lines beginning at one edge', async ({
  chat,
  modelServer,
}) => {
  modelServer.fail(500, {error: {message: 'The model server is out of memory: it needs 24 GB, and 8 GB are free.'}})
  await askByTouch(chat, 'كم؟')
  const detail = thread(chat).getByRole('alert').getByText('out of memory')
  await expect(detail).toBeVisible()
  const lefts = await detail.evaluate((element) => {
    const range = document.createRange()
    range.selectNodeContents(element)
    return [...range.getClientRects()].map(({left}) => Math.round(left))
  })
  expect(lefts.length).toBeGreaterThan(1)
  expect(new Set(lefts).size).toBe(1)
})
