import {once} from 'node:events'
import {createServer} from 'node:http'

const tickMilliseconds = 10

/** One Markdown document in words, each with the white space before it: what models write, in every kind of block. */
const section = (/** @type {number} */ number) => `
## Part ${number}: what is measured here

A paragraph with **strong words**, _soft words_, \`code\` and [a link](https://example.org/${number}) goes on for a while, so that the
line breaks and the renderer has inline work to do on every token that arrives.

1. First point of part ${number}
2. Second point, with \`inline code\`
   - and one below it
   - and another

| Name | Value | Note |
|---|---:|---|
| alpha | ${number * 3} | first |
| beta | ${number * 7} | second |

\`\`\`ts
export const part${number} = (values: readonly number[]): number => {
  const sum = values.reduce((total, value) => total + value, ${number})
  return sum / Math.max(1, values.length)
}
\`\`\`

> A quotation that closes the part before the next one begins.
`

/** @param {number} count */
export const tokens = (count) => {
  /** @type {string[]} */
  const words = []
  for (let number = 1; words.length < count; number += 1) words.push(...(section(number).match(/(?<!\s)\s*\S+/g) ?? []))
  return words.slice(0, count)
}

const megabyte = 1_000_000
const fence = '```'
/** Texts that hold a careless renderer up: lines without an end, and code that expressions read again and again. */
const hostileTexts = {
  words: () => 'word '.repeat(megabyte / 5),
  letters: () => 'x'.repeat(megabyte),
  code: () => `${fence}\n${'x'.repeat(megabyte)}\n${fence}\n`,
  tags: () => `${fence}html\n${'<a '.repeat(5_300)}\n${fence}\n`,
}
/** @typedef {keyof typeof hostileTexts} HostileText */
export const hostileNames = /** @type {HostileText[]} */ (Object.keys(hostileTexts))
export const hostileEnd = 'The end of the text.'
/** Characters of a hostile text that arrive at once. */
const hostilePiece = 5_000

/** The words of a paragraph, in an answer whose words say when they were sent. */
const stampsOfParagraph = 12

/** The questions of the benchmark, and the answers that they ask for. */
export const questions = {
  /** So many words, so many a second; each is the time of its sending, in milliseconds since 1970. */
  stamps: (/** @type {number} */ count, /** @type {number} */ rate) => `bench stamps ${count} ${rate}`,
  /** So many tokens, so many a second; rate 0 is all at once. */
  answer: (/** @type {number} */ count, /** @type {number} */ rate) => `bench answer ${count} ${rate}`,
  /** One token, and then silence until the reader leaves. */
  hold: 'bench hold',
  /** A hostile text, half a megabyte a second. */
  hostile: (/** @type {HostileText} */ name) => `bench hostile ${name}`,
}

/** @param {import('node:http').ServerResponse} response @param {string} content */
const send = (response, content) =>
  response.write(
    `data: ${JSON.stringify({id: 'chatcmpl-1', object: 'chat.completion.chunk', choices: [{index: 0, delta: {content}, finish_reason: null}]})}\n\n`,
  )

/**
 * @param {import('node:http').ServerResponse} response @param {readonly (string | (() => string))[]} words @param
 * {number} rate
 */
const write = async (response, words, rate) => {
  const startedAt = performance.now()
  for (let count = 0; count < words.length && !response.destroyed;) {
    const due =
      rate === 0
        ? words.length
        : Math.min(words.length, Math.floor(((performance.now() - startedAt) * rate) / 1_000) + 1)
    for (; count < due; count += 1) {
      const word = words[count] ?? ''
      send(response, typeof word === 'string' ? word : word())
    }
    if (count < words.length) await new Promise((resolve) => setTimeout(resolve, tickMilliseconds))
  }
  response.end(`data: ${JSON.stringify({choices: [{index: 0, delta: {}, finish_reason: 'stop'}]})}\n\ndata: [DONE]\n\n`)
}

/** When the answer to a question began. @type {Map<string, number>} */
const startTimes = new Map()

/** @param {import('node:http').IncomingMessage} request @param {import('node:http').ServerResponse} response */
const respond = async (request, response) => {
  if (request.method === 'GET') {
    response.setHeader('content-type', 'application/json')
    response.end(
      JSON.stringify({
        object: 'list',
        data: [
          {id: 'gpt-5', object: 'model'},
          {id: 'gpt-4o', object: 'model'},
        ],
      }),
    )
    return
  }
  /** @type {Buffer[]} */
  const bytes = []
  for await (const part of request) bytes.push(part)
  const {messages} = JSON.parse(Buffer.concat(bytes).toString())
  const question = JSON.stringify(messages.at(-1)?.content ?? '')
  startTimes.set(/bench answer [\d ]+/.exec(question)?.[0].trim() ?? question, performance.now())
  response.writeHead(200, {'content-type': 'text/event-stream'})
  const [, kind, count = '20', rate = '0'] = /bench (answer|stamps) (\d+) (\d+)/.exec(question) ?? []
  const hostile = hostileNames.find((name) => question.includes(questions.hostile(name)))
  if (hostile !== undefined) {
    const text = `${hostileTexts[hostile]()}\n\n${hostileEnd}`
    const count = Math.ceil(text.length / hostilePiece)
    const pieces = Array.from({length: count}, (_, index) =>
      text.slice(index * hostilePiece, (index + 1) * hostilePiece),
    )
    await write(response, pieces, 1 / (tickMilliseconds / 1_000))
  } else if (question.includes(questions.hold)) send(response, 'Waiting')
  else if (kind === 'stamps') {
    const stamp = (/** @type {unknown} */ _, /** @type {number} */ index) => () =>
      `${Date.now()}${(index + 1) % stampsOfParagraph === 0 ? '\n\n' : ' '}`
    await write(response, Array.from({length: Number(count)}, stamp), Number(rate))
  } else await write(response, tokens(Number(count)), Number(rate))
}

/** A model server on OpenAI's wire whose speed the question decides. */
export async function startModelServer() {
  const server = createServer(
    (request, response) => void respond(request, response).catch((error) => response.destroy(error)),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The model server does not listen')
  return {
    baseUrl: `http://127.0.0.1:${address.port}/v1`,
    startOf: (/** @type {string} */ question) => startTimes.get(question),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
