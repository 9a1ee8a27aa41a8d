import {once} from 'node:events'
import {namingInstruction} from '#server/ai/answers/naming-instruction.ts'
import {createServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http'

type ChatBody = {model: string; messages: {role: string; content: unknown}[]; stream?: boolean}
/** The next step of a held answer: up to the next stop, to its end, or a refusal in the stream. */
type Order = 'proceed' | 'release' | {error: object}
type Waiting = {prompt: string; response: ServerResponse; go: (order: Order) => void}

const textOf = (content: unknown): string => {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((part: {text?: string}) => part.text ?? '').join(' ')
}

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const parts: Buffer[] = []
  // as: a request without an encoding yields buffers
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}

const sendDelta = (response: ServerResponse, model: string, delta: object, finish: string | null = null) => {
  const choices = [{index: 0, delta, finish_reason: finish}]
  response.write(`data: ${JSON.stringify({id: 'chatcmpl-1', object: 'chat.completion.chunk', model, choices})}\n\n`)
}

/** A whole answer at once. */
function stream(response: ServerResponse, model: string, texts: readonly string[]): void {
  response.writeHead(200, {'content-type': 'text/event-stream'})
  for (const content of texts) sendDelta(response, model, {content})
  sendDelta(response, model, {}, 'stop')
  response.end('data: [DONE]\n\n')
}

/** The words of a text with the white space before each; joined they are the text to the byte. */
const wordsOf = (text: string) => text.match(/\s*\S+|\s+$/g) ?? []

/**
 * A model server as people run them on their machine: OpenAI's wire over real HTTP, answers scripted by the test. An
 * answer is written word by word; `hold()` stops every answer until `proceed()` or `release()`, so that a test decides
 * what has been written at each moment and never waits for time to pass.
 */
export class ModelServer {
  /** The last question of every call, in order. Calls that name a conversation do not count. */
  readonly prompts: string[] = []
  /** The whole bodies of the calls, in order. */
  readonly calls: ChatBody[] = []
  private readonly server: Server
  private readonly waiting = new Set<Waiting>()
  private readonly open = new Set<ServerResponse>()
  private stops: readonly number[] = []
  private script: (prompt: string) => string = (prompt) => `You said: ${prompt}`
  private naming: (question: string) => string = (question) => question
  private failure: {status: number; body: unknown} | undefined
  private cutAfterWords = Infinity

  private constructor(server: Server) {
    this.server = server
    server.on('request', (request, response) => void this.respond(request, response))
  }

  static async start(): Promise<ModelServer> {
    const server = createServer()
    const modelServer = new ModelServer(server)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return modelServer
  }

  get baseUrl(): string {
    const address = this.server.address()
    if (address === null || typeof address === 'string') throw new Error('The model server does not listen.')
    return `http://127.0.0.1:${address.port}/v1`
  }

  /** How many answers stand still before their next word; one whose reader hangs up no longer counts. */
  get heldAnswers(): number {
    return this.waiting.size
  }

  /** Every answer from now on. */
  answer(script: string | ((prompt: string) => string)): void {
    this.script = typeof script === 'string' ? () => script : script
    this.failure = undefined
    this.cutAfterWords = Infinity
  }

  /** Sets the name that conversations get from now on; without it they are named after their first question. */
  nameBy(name: string): void {
    this.naming = () => name
  }

  /** Refuses every call from now on, until `answer()`. */
  fail(status: number, body: unknown): void {
    this.failure = {status, body}
  }

  /** Breaks the connection after so many words of every answer from now on, until `answer()`. */
  cutAfter(words: number): void {
    this.cutAfterWords = words
  }

  /**
   * Every answer from now on stands still after so many words (none: before its first), and again at each further stop.
   */
  hold(afterWords = 0, ...further: number[]): void {
    this.stops = [afterWords, ...further]
  }

  /** Lets all held answers go on to their next stop. */
  proceed(): void {
    this.command('proceed')
  }

  /** Lets held answers go on to their end: all, with those to come, or only those whose question contains a text. */
  release(question = ''): void {
    if (question === '') this.stops = []
    this.command('release', question)
  }

  /** Held answers end with an error object in the stream, as servers do that have already said 200. */
  refuseHeld(error: object): void {
    this.command({error})
  }

  /** Breaks the connection of every answer that is on its way now. */
  cutNow(): void {
    for (const response of this.open) response.destroy()
    this.command('release')
  }

  /** Back to how it was after the start; for the next test of a worker. */
  reset(): void {
    this.answer((prompt) => `You said: ${prompt}`)
    this.release()
    this.naming = (question) => question
    this.prompts.length = 0
    this.calls.length = 0
  }

  async dispose(): Promise<void> {
    this.release()
    this.server.closeAllConnections()
    this.server.close()
    await once(this.server, 'close')
  }

  private pause(prompt: string, response: ServerResponse): Promise<Order> {
    return new Promise((go) => this.waiting.add({prompt, response, go}))
  }

  private command(order: Order, question = ''): void {
    for (const held of [...this.waiting]) {
      if (held.prompt.includes(question)) this.carryOn(held, order)
    }
  }

  private carryOn(held: Waiting, order: Order): void {
    this.waiting.delete(held)
    held.go(order)
  }

  private async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'GET') {
      const models = ['gpt-5-all', 'gpt-5', 'gpt-4o-all', 'gpt-4o'].map((id) => ({id, object: 'model'}))
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({object: 'list', data: models}))
      return
    }
    // as: the peer is our own server, whose requests the contract tests check
    const call = JSON.parse(await bodyOf(request)) as ChatBody
    const prompt = textOf(call.messages.at(-1)?.content)
    if (call.messages[0]?.content === namingInstruction) {
      const [question = ''] = prompt.split('\n\n---\n\n')
      stream(response, call.model, [this.naming(question)])
      return
    }
    this.calls.push(call)
    this.prompts.push(prompt)
    if (this.failure) {
      response.writeHead(this.failure.status, {'content-type': 'application/json'})
      response.end(JSON.stringify(this.failure.body))
      return
    }
    this.open.add(response)
    response.on('close', () => {
      this.open.delete(response)
      for (const held of [...this.waiting]) if (held.response === response) this.carryOn(held, 'release')
    })
    await this.write(response, call.model, prompt)
  }

  private async write(response: ServerResponse, model: string, prompt: string): Promise<void> {
    const send = (delta: object, finish?: string) => sendDelta(response, model, delta, finish)
    // the script, the stops and the cut that stood when the question came
    const {cutAfterWords} = this
    const words = wordsOf(this.script(prompt))
    let stops = this.stops.map((stop) => Math.min(stop, words.length))
    response.writeHead(200, {'content-type': 'text/event-stream'})
    send({role: 'assistant', content: ''})
    for (let index = 0; index <= words.length; index += 1) {
      const order = stops.includes(index) ? await this.pause(prompt, response) : 'proceed'
      if (order === 'release') stops = []
      if (typeof order === 'object') response.end(`data: ${JSON.stringify({error: order.error})}\n\n`)
      if (index >= cutAfterWords) response.destroy()
      if (response.destroyed || response.writableEnded) return
      const word = words[index]
      if (word !== undefined) send({content: word})
    }
    send({}, 'stop')
    response.end('data: [DONE]\n\n')
  }
}
