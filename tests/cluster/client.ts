import {Agent, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage} from 'node:http'
import {setTimeout as pause} from 'node:timers/promises'

/** Silence after which a connection counts as broken: streams say something every 15 s. */
const silenceMilliseconds = 25_000
const longestPause = 3_000

export type Wish = {
  method: 'GET' | 'POST'
  path: string
  headers?: Record<string, string>
  body?: Buffer | string
}
export type Answer = {status: number; headers: IncomingHttpHeaders; body: Buffer}

export const jsonOf = (answer: Answer): Record<string, unknown> => {
  const value: unknown = JSON.parse(answer.body.toString() || 'null')
  return typeof value === 'object' && value !== null ? {...value} : {}
}

/** A client cannot go on: a refusal was not expected, or an outage has no end. */
export class Unexpected extends Error {}

/**
 * One user's way to the installation: an address of their own on loopback, so that limits by address are theirs, and
 * repeats as the pages repeat. What is repeated carries an idempotency key or changes nothing the second time.
 */
export class Client {
  private readonly agent: Agent
  /** The faults that came instead of an answer, by kind. */
  readonly troubles = new Map<string, number>()

  constructor(
    private readonly port: number,
    user: number,
    /** Until when it goes on trying. */
    private readonly isOver: () => boolean,
  ) {
    const localAddress = `127.1.${Math.floor(user / 250)}.${(user % 250) + 1}`
    this.agent = new Agent({keepAlive: true, maxSockets: 8, localAddress})
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`
  }

  /** One try; the body is still to come. Rejects where no answer came. */
  open({method, path, headers, body}: Wish): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const length: Record<string, number> = body === undefined ? {} : {'content-length': Buffer.byteLength(body)}
      const asked = httpRequest({
        host: '127.0.0.1',
        port: this.port,
        method,
        path,
        agent: this.agent,
        headers: {origin: this.origin, ...length, ...headers},
      })
      asked.setTimeout(silenceMilliseconds, () => asked.destroy(new Error('silence')))
      asked.on('response', resolve)
      // one that is answered before its body was taken may break when nobody listens to the request any more
      asked.on('socket', (socket) => {
        if (socket.listenerCount('error') < 5) socket.on('error', () => undefined)
      })
      asked.on('error', reject)
      asked.end(body)
    })
  }

  /** One try, whole. */
  async once(wish: Wish): Promise<Answer> {
    const response = await this.open(wish)
    const parts: Buffer[] = []
    for await (const part of response) parts.push(part as Buffer) // as: a response without an encoding yields buffers
    return {status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts)}
  }

  /** Repeats it until it is answered. Gives every answer that is not a wish to be asked again. */
  async ask(wish: Wish): Promise<Answer> {
    return this.repeated(wish.path, async () => {
      const answer = await this.once(wish)
      return {answer, status: answer.status, retryAfter: answer.headers['retry-after']}
    })
  }

  /** The same for a stream: only its beginning is waited for. */
  async stream(wish: Wish): Promise<IncomingMessage> {
    return this.repeated(wish.path, async () => {
      const answer = await this.open(wish)
      const status = answer.statusCode ?? 0
      if (mayRepeat(status)) answer.resume()
      return {answer, status, retryAfter: answer.headers['retry-after']}
    })
  }

  private async repeated<T>(
    path: string,
    work: () => Promise<{answer: T; status: number; retryAfter: string | undefined}>,
  ): Promise<T> {
    for (let turn = 0; ; turn += 1) {
      let wait = Math.min(longestPause, 200 * 2 ** turn)
      try {
        const {answer, status, retryAfter} = await work()
        if (!mayRepeat(status)) return answer
        this.count(String(status), path)
        if (retryAfter !== undefined) wait = Math.min(10_000, 1000 * Number(retryAfter))
      } catch (error) {
        if (!(error instanceof Error)) throw error
        this.count('code' in error ? String(error.code) : error.message, path)
      }
      if (this.isOver()) throw new Unexpected(`${path} is never answered`)
      await pause(wait)
    }
  }

  count(kind: string, path: string): void {
    const name = `${kind} ${path.replace(/[0-9a-f-]{36}[^/]*|[\w-]{22}(?=\/|$).*|\?.*/g, '…')}`
    this.troubles.set(name, (this.troubles.get(name) ?? 0) + 1)
  }

  close(): void {
    this.agent.destroy()
  }
}

/** Refusals for a moment, and answers of the proxy or of a node that has lost its database. */
const mayRepeat = (status: number) => status === 429 || status >= 500

export type Frame = {seq: number | undefined; data: Record<string, unknown> | '[DONE]'}

/** The frames of an event stream; throws where the connection breaks. */
export async function* framesOf(response: IncomingMessage): AsyncGenerator<Frame> {
  let buffer = ''
  response.setEncoding('utf8')
  for await (const piece of response) {
    buffer += String(piece)
    const events = buffer.split('\n\n')
    buffer = events.pop() ?? ''
    for (const event of events) {
      const data = /^data: (.*)$/m.exec(event)?.[1]
      if (data === undefined) continue
      const seq = /^id: (\d+)$/m.exec(event)?.[1]
      const value: unknown = data === '[DONE]' ? data : JSON.parse(data)
      yield {
        seq: seq === undefined ? undefined : Number(seq),
        data: value === '[DONE]' ? value : {...(value as Record<string, unknown>)}, // as: every frame is an object
      }
    }
  }
}
