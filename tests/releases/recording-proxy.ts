import {createServer, request as ask, type IncomingHttpHeaders} from 'node:http'
import {once} from 'node:events'
import {buffer} from 'node:stream/consumers'

/** A request of a release's client and its answer, as far as another server must do the same. */
export type Exchange = {
  method: string
  path: string
  headers: Record<string, string>
  /** Text, or base64 of what is none. */
  body?: string
  isBase64?: true
  answer: {status: number; type?: string; location?: string; cookies?: string[]; text?: string}
}

const keptHeaders = [
  'accept',
  'authorization',
  'content-type',
  'cookie',
  'idempotency-key',
  'origin',
  'x-record-exempt',
]
const isText = (type = '') => /json|text|urlencoded/.test(type)

/**
 * Stands between a browser and a server, which both believe that they talk to each other, and notes what the services
 * are asked.
 */
export class RecordingProxy {
  readonly exchanges: Exchange[] = []
  /** The text of the last page. */
  page = ''
  private readonly server = createServer((request, response) => {
    const note = async () => {
      const body = await buffer(request)
      const headers = {...request.headers, 'accept-encoding': 'identity'}
      const onward = ask({port: this.target, method: request.method, path: request.url, headers}, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        const parts: Buffer[] = []
        answer.on('data', (part: Buffer) => {
          parts.push(part)
          response.write(part)
        })
        answer.on('close', () => response.end())
        answer.on('end', () => this.keep(request, body, answer, Buffer.concat(parts).toString()))
      })
      onward.on('error', () => response.destroy())
      response.on('close', () => onward.destroy())
      onward.end(body)
    }
    note().catch(() => response.destroy())
  })

  private constructor(private readonly target: number) {}

  static async start(port: number, target: number): Promise<RecordingProxy> {
    const proxy = new RecordingProxy(target)
    proxy.server.listen(port, '127.0.0.1')
    await once(proxy.server, 'listening')
    return proxy
  }

  close(): void {
    this.server.close()
    this.server.closeAllConnections()
  }

  private keep(
    {method = '', url: path = '', headers}: {method?: string; url?: string; headers: IncomingHttpHeaders},
    body: Buffer,
    answer: {statusCode?: number; headers: IncomingHttpHeaders},
    text: string,
  ): void {
    const {'content-type': type, location, 'set-cookie': cookies} = answer.headers
    if (type?.startsWith('text/html') === true && text.includes('id="config"')) this.page = text
    if (!path.startsWith('/services/') && !path.startsWith('/s/')) return
    const sent = Object.entries(headers).filter(([name]) => keptHeaders.includes(name))
    const isKept = isText(headers['content-type'])
    this.exchanges.push({
      method,
      path,
      headers: Object.fromEntries(sent.map(([name, value]) => [name, String(value)])),
      ...(body.length === 0 ? {} : {body: body.toString(isKept ? 'utf8' : 'base64')}),
      ...(body.length === 0 || isKept ? {} : {isBase64: true}),
      answer: {
        status: answer.statusCode ?? 0,
        ...(type === undefined ? {} : {type}),
        ...(location === undefined ? {} : {location}),
        ...(cookies === undefined ? {} : {cookies}),
        ...(isText(type) && !text.includes('<html') ? {text} : {}),
        ...(text.includes('form_token') ? {text: hiddenFields(text)} : {}),
      },
    })
  }
}

/** Keeps of a page with a form only the fields that the form sends back. */
const hiddenFields = (page: string) => (page.match(/<input[^>]*type="hidden"[^>]*>/g) ?? []).join('\n')
