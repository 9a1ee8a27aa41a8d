import type {IncomingMessage, ServerResponse} from 'node:http'
import {bodyOf, listen, type LocalServer} from './http-server.ts'

export type Recorded = {
  service: 'auth' | 'platform' | 'api'
  method: string
  /** Path and query. */
  path: string
  /** The headers the specification names, and ours that must not be there; only those that came. */
  headers: Record<string, string>
  body: unknown
}

type StoredMessage = {role: string; content: unknown}
type Stored = {id: string; model: string; title?: string; messages: StoredMessage[]; updated_at: number}

const headersOfInterest = [
  'authorization',
  'accept',
  'accept-language',
  'content-type',
  'x-fingerprint',
  'x-user-id',
  'x-record-exempt',
  'idempotency-key',
]

const user = {id: 'u-7', username: 'ada', email: 'ada@example.test', mystery: {theirs: true}}
const packages = [
  {id: 'p-small', type: 'Usage', amount: '100', price: '9.90'},
  {id: 'p-week', type: 'Period', amount: '120', price: '9.90', duration: 604_800},
]
const service = {id: 'b1fbcc32-e218-4253-9dc3-4fe600a1bfb9', title: 'Chat', unit: 'Credits', metadata: {price: []}}

/**
 * Another implementation of the specified API, as small as it may be: sign-in by a plain code, no refresh, no
 * extensions. Its answers use the liberties the contract leaves: keys of its own, decimal text for money, `data:` lines
 * without a space, comments, lines that are no JSON. Every request is kept.
 */
export class ForeignBackend {
  readonly recorded: Recorded[] = []
  /** Requests whose reader left before the end. */
  broken = 0
  /** Answers that are being sent, and the most that ever were at a time. */
  streams = 0
  mostStreams = 0
  /** Access tokens that are no longer good. */
  readonly refused = new Set<string>()
  readonly conversations: Stored[] = []
  private site: object | undefined
  private readonly applications: Record<string, unknown>[] = []
  private readonly orders: Record<string, unknown>[] = []
  private readonly servers: LocalServer[] = []
  private codes = 0
  private names = 0
  private readonly held = new Set<() => void>()
  private holds = false

  static async start(): Promise<ForeignBackend> {
    const backend = new ForeignBackend()
    for (const name of ['auth', 'platform', 'api'] as const) {
      backend.servers.push(await listen((request, response) => backend.respond(name, request, response)))
    }
    return backend
  }

  private urlOf(index: number): string {
    const server = this.servers[index]
    if (server === undefined) throw new Error('The back end does not run.')
    return server.url
  }

  get config() {
    return {mode: 'production', auth: this.urlOf(0), platform: this.urlOf(1), api: this.urlOf(2)}
  }

  /** Recorded calls of one service, as `METHOD path`. */
  calls(service: Recorded['service']): string[] {
    return this.recorded.filter((call) => call.service === service).map(({method, path}) => `${method} ${path}`)
  }

  of(service: Recorded['service'], start: string): Recorded[] {
    return this.recorded.filter((call) => call.service === service && `${call.method} ${call.path}`.startsWith(start))
  }

  /** Answers stand still after their first words until `release()`. */
  hold(): void {
    this.holds = true
  }

  release(): void {
    this.holds = false
    for (const go of this.held) go()
    this.held.clear()
  }

  async dispose(): Promise<void> {
    this.release()
    for (const server of this.servers) await server.close()
  }

  private async respond(name: Recorded['service'], request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('access-control-allow-origin', '*')
    if (request.method === 'OPTIONS') {
      response.setHeader('access-control-allow-methods', 'GET, POST, PUT, DELETE')
      response.setHeader('access-control-allow-headers', request.headers['access-control-request-headers'] ?? '')
      response.writeHead(204).end()
      return
    }
    const text = await bodyOf(request)
    const path = request.url ?? '/'
    const call: Recorded = {
      service: name,
      method: request.method ?? '',
      path,
      headers: Object.fromEntries(
        headersOfInterest.flatMap((header) => {
          const value = request.headers[header]
          return typeof value === 'string' ? [[header, value]] : []
        }),
      ),
      body: text === '' ? undefined : (JSON.parse(text) as unknown),
    }
    if (path !== '/favicon.ico') this.recorded.push(call)
    if (name === 'auth') this.authenticate(call, response)
    else if (name === 'platform') this.manage(call, response)
    else await this.chat(call, request, response)
  }

  private authenticate({method, path}: Recorded, response: ServerResponse): void {
    const {pathname, searchParams} = new URL(path, 'http://auth')
    const redirect = searchParams.get('redirect') ?? ''
    if (pathname === '/oauth2/v1/token') {
      send(response, {
        access_token: `access-${this.codes}`,
        refresh_token: 'refresh',
        expires_in: 60,
        token_type: 'Bearer',
      })
    } else if (pathname === '/auth/logout') {
      response.writeHead(302, {location: redirect}).end()
    } else if (pathname === '/auth/login' && method === 'GET') {
      this.codes += 1
      const back = new URL(redirect)
      back.searchParams.set('code', `code-${this.codes}`)
      response.setHeader('content-type', 'text/html')
      response.end(`<title>Elsewhere</title><a href="${back.href.replaceAll('&', '&amp;')}">Continue as Ada</a>`)
    } else send(response, {code: 'not_found'}, 404)
  }

  private manage({method, path, headers, body}: Recorded, response: ServerResponse): void {
    const {pathname, searchParams} = new URL(path, 'http://platform')
    const resource = pathname.replace('/api/v1', '')
    const isPublic = resource === '/sites/' || resource === '/exchange-rate'
    const token = headers.authorization?.replace('Bearer ', '') ?? ''
    if (!isPublic && (!token.startsWith('access-') || this.refused.has(token))) {
      send(response, {code: 'unauthorized', detail: 'Sign in.'}, 401)
      return
    }
    // as: the test asserts every body that came
    const fields = (body ?? {}) as Record<string, unknown>
    switch (`${method} ${resource}`) {
      case 'GET /sites/':
        send(response, {count: this.site ? 1 : 0, items: this.site ? [this.site] : [], next: null})
        return
      case 'POST /sites/initialize/':
        this.site = {id: 's-1', origin: fields['origin'], title: 'Elsewhere', features: {}, theirs: 1}
        send(response, this.site)
        return
      case 'GET /users/me':
        send(response, user)
        return
      case `GET /services/${service.id}`:
        send(response, service)
        return
      case 'GET /applications/': {
        const type = searchParams.get('type')
        const items = searchParams.has('service_id')
          ? []
          : this.applications.filter((application) => type === null || application['type'] === type)
        send(response, {count: items.length, items})
        return
      }
      case 'POST /applications/': {
        const id = `a-${this.applications.length + 1}`
        const application = {...fields, id, remaining_amount: '12.500000', used_amount: '0', credentials: []}
        this.applications.push(application)
        send(response, application, 201)
        return
      }
      case 'POST /orders/': {
        const order = {...fields, id: `o-${this.orders.length + 1}`, state: 'Pending', price: '9.90', theirs: 1}
        this.orders.push(order)
        send(response, order, 201)
        return
      }
      case 'GET /apis/':
        send(response, {count: 0, items: []})
        return
      case 'POST /credentials/':
        send(response, {...fields, id: 'k-1', token: 'key-1', type: 'Token'}, 201)
        return
      case 'POST /exchange-rate':
        send(response, {...fields, rate: '0.9'})
        return
      default:
        this.manageOne(`${method} ${resource}`, fields, response)
    }
  }

  /** The money for an order comes. */
  finish(id: string): void {
    const order = this.orders.find((known) => known['id'] === id)
    if (order === undefined) throw new Error(`There is no order ${id}`)
    Object.assign(order, {state: 'Paid'})
  }

  /** A code for a phone, or a page. */
  private payPageOf(fields: object): string {
    return 'pay_way' in fields && fields.pay_way === 'AliPay' ? `${this.config.platform}/cashier` : 'weixin://pay/foo'
  }

  /** Calls of one application or order. */
  private manageOne(call: string, fields: object, response: ServerResponse): void {
    const application = this.applications.find(({id}) => call === `GET /applications/${String(id)}`)
    const order = this.orders.find(({id}) => call.startsWith(`POST /orders/${String(id)}/`))
    if (order !== undefined && call.endsWith('/pay/')) Object.assign(order, fields, {pay_url: this.payPageOf(fields)})
    if (application !== undefined) send(response, {...application, packages})
    else if (order !== undefined) send(response, order)
    else send(response, {code: 'not_found', detail: call}, 404)
  }

  private async chat({body}: Recorded, request: IncomingMessage, response: ServerResponse): Promise<void> {
    // as: the test asserts every body that came
    const {action, id, ...fields} = (body ?? {}) as {action?: string; id?: string} & Record<string, unknown>
    const conversation = this.conversations.find((each) => each.id === id)
    switch (action) {
      case 'retrieve_batch':
        send(response, {count: this.conversations.length, items: this.conversations})
        return
      case 'retrieve':
        if (conversation) send(response, conversation)
        else send(response, {error: {code: 'not_found', message: 'There is no such conversation.'}}, 404)
        return
      case 'update':
        // a copy: the recorded body keeps what was sent
        Object.assign(conversation ?? {}, structuredClone(fields))
        send(response, conversation ?? {})
        return
      case 'delete':
        this.conversations.splice(0, this.conversations.length, ...this.conversations.filter((each) => each.id !== id))
        send(response, {id})
        return
      case undefined:
        await this.answer(String(fields['question']), String(fields['model']), conversation, request, response)
        return
      default:
        send(response, {error: {code: 'api_not_implemented', message: action}}, 400)
    }
  }

  private async answer(
    question: string,
    model: string,
    known: Stored | undefined,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const conversation = known ?? {id: `c-${(this.names += 1)}`, model, messages: [], updated_at: 0}
    const {id} = conversation
    let said = ''
    const line = (delta: string) => {
      said += delta
      return JSON.stringify({id, answer: said, delta_answer: delta, usage: null})
    }
    this.streams += 1
    this.mostStreams = Math.max(this.mostStreams, this.streams)
    response.on('close', () => {
      this.streams -= 1
      if (!response.writableFinished) this.broken += 1
    })
    response.writeHead(200, {'content-type': 'text/event-stream'})
    response.write(`: hello\n\nevent: message\ndata:${line('You said: ')}\n\n`)
    response.write(`data: {"id": broken\n\nretry: 10\r\ndata: ${line(question)}\r\n\r\n`)
    if (this.holds) await new Promise<void>((go) => this.held.add(go).size && request.on('close', go))
    response.end(`data:   ${line(' – é✓')}\n\ndata: [DONE]\n`)
    conversation.messages.push({role: 'user', content: question}, {role: 'assistant', content: said})
    conversation.updated_at = Math.floor(Date.now() / 1000)
    if (known === undefined) this.conversations.unshift(conversation)
  }
}

function send(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, {'content-type': 'application/json'})
  response.end(JSON.stringify(body))
}
