import {once} from 'node:events'
import {createServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http'

type ChatBody = {model: string; messages: {role: string; content: unknown}[]; stream?: boolean}

const textOf = (content: unknown): string => {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((part: {text?: string}) => part.text ?? '').join(' ')
}

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}

/**
 * A model server as people run them on their machine: OpenAI's wire over real HTTP, answers scripted by the test. An
 * answer is written word by word; `hold()` stops every stream before its next word until `release()`.
 */
export class ModelServer {
  readonly prompts: string[] = []
  private readonly server: Server
  private gate: Promise<void> = Promise.resolve()
  private open: () => void = () => undefined
  private script: (prompt: string) => string = (prompt) => `You said: ${prompt}`
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

  /** Every answer from now on. */
  answer(script: string | ((prompt: string) => string)): void {
    this.script = typeof script === 'string' ? () => script : script
    this.failure = undefined
    this.cutAfterWords = Infinity
  }

  /** Refuses every call from now on. */
  fail(status: number, body: unknown): void {
    this.failure = {status, body}
  }

  /** Breaks the connection in the middle of every answer from now on. */
  cutAfter(words: number): void {
    this.cutAfterWords = words
  }

  hold(): void {
    this.gate = new Promise((resolve) => (this.open = resolve))
  }

  release(): void {
    this.open()
  }

  async dispose(): Promise<void> {
    this.release()
    this.server.closeAllConnections()
    this.server.close()
    await once(this.server, 'close')
  }

  private async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'GET') {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({object: 'list', data: [{id: 'gpt-5-all', object: 'model'}, {id: 'gpt-4o-all', object: 'model'}]}))
      return
    }
    const {messages, model} = JSON.parse(await bodyOf(request)) as ChatBody
    const prompt = textOf(messages.at(-1)?.content)
    this.prompts.push(prompt)
    if (this.failure) {
      response.writeHead(this.failure.status, {'content-type': 'application/json'})
      response.end(JSON.stringify(this.failure.body))
      return
    }
    response.writeHead(200, {'content-type': 'text/event-stream'})
    const send = (delta: object, finish: string | null = null) =>
      response.write(`data: ${JSON.stringify({id: 'chatcmpl-1', object: 'chat.completion.chunk', model, choices: [{index: 0, delta, finish_reason: finish}]})}\n\n`)
    send({role: 'assistant', content: ''})
    let words = 0
    for (const word of this.script(prompt).match(/\s*\S+/g) ?? []) {
      await this.gate
      if (response.destroyed) return
      if (words++ >= this.cutAfterWords) {
        response.destroy()
        return
      }
      send({content: word})
    }
    await this.gate
    send({}, 'stop')
    response.end('data: [DONE]\n\n')
  }
}
