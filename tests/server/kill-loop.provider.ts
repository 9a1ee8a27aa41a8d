import {createServer, type IncomingMessage, type ServerResponse} from 'node:http'
import {once} from 'node:events'
import {setTimeout as pause} from 'node:timers/promises'
import {pixel} from './pixel.ts'

export type Purchase = {kind: 'answer' | 'image'; prompt: string; at: number}

/** A provider of answers and images that costs credits, and writes slowly enough to be killed at. */
export type SlowProvider = {
  baseUrl: string
  /** Prompts of all images that were ever asked for. */
  images: string[]
  /** All that was ever bought, with the moment: the questions as well. */
  purchases: Purchase[]
  /** Answers to this question stop after their first words, until the returned function is called. */
  hold: (question: string) => () => void
  close: () => Promise<void>
}

/** Between 20 and 80 words, or as many as a number from 1,000 on says; the same for the same question. */
export const textFor = (question: string): string => {
  const number = Number(question.match(/\d+/)?.[0] ?? 0)
  const count = number < 1_000 ? 20 + (number % 7) * 10 : number
  return Array.from({length: count}, (_, index) => `${question} – word ${index + 1}, `).join('')
}

type World = {
  buy: (kind: Purchase['kind'], prompt: string) => void
  /** The end of the wait of each held question. */
  held: ReadonlyMap<string, Promise<void>>
}
const wordsBeforeHold = 10

export async function startSlowProvider(): Promise<SlowProvider> {
  const images: string[] = []
  const purchases: Purchase[] = []
  const buy = (kind: Purchase['kind'], prompt: string) => {
    purchases.push({kind, prompt, at: Date.now()})
    if (kind === 'image') images.push(prompt)
  }
  const held = new Map<string, Promise<void>>()
  const server = createServer((request, response) => {
    void answer(request, response, {buy, held}).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The system gave no port.')
  return {
    baseUrl: `http://127.0.0.1:${address.port}/v1`,
    images,
    purchases,
    hold: (question) => {
      let release = () => {}
      held.set(question, new Promise((resolve) => (release = resolve)))
      return release
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function answer(request: IncomingMessage, response: ServerResponse, {buy, held}: World): Promise<void> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer) // as: a request without an encoding yields buffers
  const json = (body: object) => {
    response.writeHead(200, {'content-type': 'application/json'})
    response.end(JSON.stringify(body))
  }
  if (request.method === 'GET') return json({object: 'list', data: [{id: 'foo-model', object: 'model'}]})
  const body = JSON.parse(Buffer.concat(parts).toString()) as {prompt?: string; messages?: {content: string}[]}
  if (request.url?.endsWith('/images/generations') === true) {
    buy('image', String(body.prompt))
    await pause(300)
    return json({created: 1, data: [{b64_json: pixel.toString('base64')}]})
  }
  const question = body.messages?.at(-1)?.content ?? ''
  buy('answer', question)
  const text = textFor(question)
  const send = (delta: object, finish: string | null) =>
    response.write(
      `data: ${JSON.stringify({id: 'foo', object: 'chat.completion.chunk', choices: [{index: 0, delta, finish_reason: finish}]})}\n\n`,
    )
  response.writeHead(200, {'content-type': 'text/event-stream'})
  for (const [index, word] of (text.match(/\s*\S+|\s+$/g) ?? []).entries()) {
    if (index === wordsBeforeHold) await held.get(question)
    if (response.destroyed) return
    send({content: word}, null)
    await pause(2)
  }
  send({}, 'stop')
  response.end('data: [DONE]\n\n')
}
