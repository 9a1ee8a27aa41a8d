import {createServer, type IncomingMessage, type ServerResponse} from 'node:http'
import type {AddressInfo} from 'node:net'
import Stripe from 'stripe'

export const secretKey = 'sk_test_canary4711'
export const webhookSecret = 'whsec_canary4711'

type Session = {
  id: string
  object: 'checkout.session'
  url: string
  status: 'open' | 'complete' | 'expired'
  payment_status: 'paid' | 'unpaid'
  amount_total: number
  currency: string
  metadata: Record<string, string>
  payment_intent: string | null
  expires_at: number
  success_url: string
}
export type PeerRequest = {method: string; path: string; form: URLSearchParams; key: string | undefined}

const metadataOf = (form: URLSearchParams, ofIntent = false) =>
  Object.fromEntries(
    [...form].flatMap(([name, value]) => {
      const pattern = ofIntent ? /^payment_intent_data\[metadata\]\[(\w+)\]$/ : /^metadata\[(\w+)\]$/
      const key = pattern.exec(name)?.[1]
      return key === undefined ? [] : [[key, value]]
    }),
  )

/** A peer on loopback that speaks the part of Stripe's wire we use: sessions, refunds, keys, and signed events. */
export async function startStripePeer() {
  const sessions = new Map<string, Session>()
  const answers = new Map<string, {form: string; body: unknown}>()
  const requests: PeerRequest[] = []
  const refunded: string[] = []
  let made = 0
  const refunds: {id: string; object: 'refund'; payment_intent: string; status: string}[] = []
  /** Newest first, as Stripe lists them. */
  const refund = (intent: string, status: string) => {
    const made = {id: `re_${refunds.length + 1}`, object: 'refund' as const, payment_intent: intent, status}
    refunds.unshift(made)
    return made
  }
  /** The status of the payments behind the pages. */
  const intents = new Map<string, 'processing' | 'requires_payment_method' | 'requires_action' | 'succeeded'>()
  const confirmPage = (intent: string) => `https://payments.stripe.test/microdeposit/${intent}`
  type Step = ((path: string) => Promise<unknown> | void) | undefined
  const intentMetadata = new Map<string, Record<string, string>>()
  /** The result of a refund: its status, or the code of a refusal. */
  type Refund = 'succeeded' | 'pending' | 'failed' | 'charge_already_refunded' | 'charge_disputed'
  const state = {
    refund: 'succeeded' as Refund,
    isAway: false,
    /** Paths that fail beside all others; the peer says that asking again at once is no use. */
    isBrokenFor: (_path: string) => false,
    beforeWork: undefined as Step,
    beforeAnswer: undefined as Step,
  }

  const answer = (
    method: string,
    path: string,
    form: URLSearchParams,
    isExpanded: boolean,
  ): {status: number; body: unknown} => {
    const id = /^\/v1\/checkout\/sessions\/(\w+)/.exec(path)?.[1]
    const session = id === undefined ? undefined : sessions.get(id)
    if (method === 'POST' && path === '/v1/checkout/sessions') {
      made += 1
      const session: Session = {
        id: `cs_test_${made}`,
        object: 'checkout.session',
        url: `https://checkout.stripe.test/c/pay/${made}`,
        status: 'open',
        payment_status: 'unpaid',
        amount_total: Number(form.get('line_items[0][price_data][unit_amount]')),
        currency: form.get('line_items[0][price_data][currency]') ?? '',
        metadata: metadataOf(form),
        payment_intent: null,
        expires_at: Number(form.get('expires_at')),
        success_url: form.get('success_url') ?? '',
      }
      sessions.set(session.id, session)
      intentMetadata.set(`pi_${session.id}`, metadataOf(form, true))
      return {status: 200, body: session}
    }
    if (method === 'POST' && path === '/v1/refunds') {
      refunded.push(form.get('payment_intent') ?? '')
      if (state.refund.startsWith('charge_'))
        return {
          status: 400,
          body: {error: {type: 'invalid_request_error', code: state.refund, message: 'Not refunded'}},
        }
      return {status: 200, body: refund(form.get('payment_intent') ?? '', state.refund)}
    }
    if (path === '/v1/refunds')
      return {
        status: 200,
        body: {object: 'list', data: refunds.filter(({payment_intent: of}) => of === form.get('payment_intent'))},
      }
    const found = refunds.find(({id: name}) => path === `/v1/refunds/${name}`)
    if (found !== undefined) return {status: 200, body: found}
    const intent = /^\/v1\/payment_intents\/(\w+)$/.exec(path)?.[1]
    if (intent !== undefined)
      return {status: 200, body: {id: intent, object: 'payment_intent', metadata: intentMetadata.get(intent) ?? {}}}
    if (session === undefined)
      return {status: 404, body: {error: {type: 'invalid_request_error', code: 'resource_missing', message: 'No such'}}}
    if (path.endsWith('/expire')) {
      if (session.status !== 'open')
        return {status: 400, body: {error: {type: 'invalid_request_error', message: 'Not open'}}}
      session.status = 'expired'
    }
    if (method !== 'GET' || !isExpanded || session.payment_intent === null) return {status: 200, body: session}
    const expanded = {
      id: session.payment_intent,
      object: 'payment_intent',
      status: intents.get(session.payment_intent) ?? 'succeeded',
      next_action:
        intents.get(session.payment_intent) === 'requires_action'
          ? {
              type: 'verify_with_microdeposits',
              verify_with_microdeposits: {hosted_verification_url: confirmPage(session.payment_intent)},
            }
          : null,
    }
    return {status: 200, body: {...session, payment_intent: expanded}}
  }

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    let text = ''
    for await (const chunk of request) text += String(chunk)
    const [path = '', query] = (request.url ?? '').split('?')
    const method = request.method ?? ''
    const form = new URLSearchParams(method === 'GET' ? query : text)
    const key = request.headers['idempotency-key'] as string | undefined // one header of one value
    requests.push({method, path, form, key})
    const send = (status: number, body: unknown, headers: Record<string, string> = {}) =>
      response.writeHead(status, {'content-type': 'application/json', ...headers}).end(JSON.stringify(body))
    if (request.headers.authorization !== `Bearer ${secretKey}`)
      return send(401, {error: {type: 'invalid_request_error', message: `Invalid API Key: ${secretKey}`}})
    await state.beforeWork?.(path)
    if (state.isAway) return send(503, {error: {type: 'api_error', message: 'away'}})
    if (state.isBrokenFor(path))
      return send(500, {error: {type: 'api_error', message: 'broken'}}, {'stripe-should-retry': 'false'})
    const earlier = method === 'POST' && key !== undefined ? answers.get(key) : undefined
    if (earlier !== undefined)
      return earlier.form === text ? send(200, earlier.body) : send(400, {error: {type: 'idempotency_error'}})
    const {status, body} = answer(method, path, form, query !== undefined)
    if (status === 200 && method === 'POST' && key !== undefined) answers.set(key, {form: text, body})
    await state.beforeAnswer?.(path)
    send(status, body)
  }

  const server = createServer((request, response) => void handle(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const {port} = server.address() as AddressInfo // a server that listens on a port
  const stripe = new Stripe(secretKey)

  return {
    config: {secretKey, webhookSecret, baseUrl: `http://127.0.0.1:${port}`},
    requests,
    refunded,
    refunds,
    /** The operator gives money back in the dashboard. */
    refund,
    state,
    sessions,
    sessionOf: (url: string) => {
      const found = [...sessions.values()].find((session) => session.url === url)
      if (found === undefined) throw new Error(`No session has the page ${url}`)
      return found
    },
    /** The payer pays on Stripe's page, or the bank does after days. */
    complete: (session: Session) => {
      intents.set(`pi_${session.id}`, 'succeeded')
      return Object.assign(session, {status: 'complete', payment_status: 'paid', payment_intent: `pi_${session.id}`})
    },
    confirmPage,
    /** The payer chooses a bank debit on Stripe's page; `requires_action`: it has to be confirmed by small deposits. */
    debit: (session: Session, status: 'processing' | 'requires_action' = 'processing') => {
      intents.set(`pi_${session.id}`, status)
      return Object.assign(session, {status: 'complete', payment_intent: `pi_${session.id}`})
    },
    /** The bank gives no money. */
    decline: (session: Session) => {
      intents.set(`pi_${session.id}`, 'requires_payment_method')
      return session
    },
    /** An event as Stripe would send it, with its signature. */
    event: (type: string, session: object, {secret = webhookSecret, at = Date.now()} = {}) => {
      const payload = JSON.stringify({id: 'evt_1', object: 'event', type, data: {object: session}})
      const header = stripe.webhooks.generateTestHeaderString({
        payload,
        secret,
        timestamp: Math.floor(at / 1000),
      })
      return {payload, header}
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
export type StripePeer = Awaited<ReturnType<typeof startStripePeer>>
