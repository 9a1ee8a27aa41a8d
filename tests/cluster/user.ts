import {createHash, randomUUID} from 'node:crypto'
import {setTimeout as pause} from 'node:timers/promises'
import {seeded} from '../../e2e/support/toxics.ts'
import {Client, jsonOf, Unexpected, type Answer, type Wish} from './client.ts'
import {emptyRecords, type AccountRecord, type Fault} from './records.ts'

export type UserParts = {
  number: number
  seed: number
  /** Port of the proxy. */
  port: number
  /** Nothing new is begun after it. */
  isTimeUp: () => boolean
  /** Nothing is tried again after it. */
  isOver: () => boolean
}

const password = 'correct horse battery'
export const hashOf = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex')

/** One user with an account of their own: what they were given, and the means of what they do. */
export class User {
  readonly records = emptyRecords()
  readonly client: Client
  private readonly account: AccountRecord
  private readonly draw: () => number
  private count = 0
  private accessToken = ''
  /** The time of the next renewal by the clock of the test: a while before the token ends. */
  private renewAt = Infinity
  private key = ''

  constructor(readonly parts: UserParts) {
    const {number, seed, port, isOver} = parts
    this.client = new Client(port, number, isOver)
    this.draw = seeded(Math.imul(seed, 1_000_003) + number * 7919)
    // the first numbers of near seeds are near
    for (let turn = 0; turn < 8; turn += 1) this.draw()
    this.account = {...this.note('account'), email: `user-${number}@example.test`}
    this.records.accounts.push(this.account)
  }

  /** Returns the head of a record: who, what, when. */
  note(request: string): {user: number; request: string; at: string} {
    return {user: this.parts.number, request, at: new Date().toISOString()}
  }

  fault(request: string, fault: string): void {
    this.records.faults.push({...this.note(request), fault} satisfies Fault)
  }

  /** A whole number from 0 to below `bound`. */
  whole(bound: number): number {
    return Math.floor(this.draw() * bound)
  }

  choose<T>(items: readonly [T, ...T[]]): T {
    return items[this.whole(items.length)] ?? items[0]
  }

  /** A name that no other request of the run has. */
  next(kind: string): string {
    this.count += 1
    return `${kind}-${this.parts.number}-${this.count}`
  }

  get application(): string {
    return this.account.application ?? ''
  }

  /** A call of the platform, as the user. */
  platform(method: 'GET' | 'POST', path: string, body?: object, headers: Record<string, string> = {}): Promise<Answer> {
    return this.client.ask({
      method,
      path: `/services/platform${path}`,
      headers: {authorization: `Bearer ${this.accessToken}`, 'content-type': 'application/json', ...headers},
      ...(body === undefined ? {} : {body: JSON.stringify(body)}),
    })
  }

  /** A call of the AI service, with the user's key. */
  apiWish(path: string, body: object, headers: Record<string, string> = {}) {
    return {
      method: 'POST' as const,
      path: `/services/api${path}`,
      headers: {authorization: `Bearer ${this.key}`, 'content-type': 'application/json', ...headers},
      body: JSON.stringify(body),
    }
  }

  api(path: string, body: object, headers: Record<string, string> = {}): Promise<Answer> {
    return this.client.ask(this.apiWish(path, body, headers))
  }

  /** The headers of an upload. */
  bearer(): Record<string, string> {
    return {authorization: `Bearer ${this.accessToken}`}
  }

  /**
   * Makes the account and all that the chat needs. An answer that was lost may have made it: then the user signs in.
   */
  async register(): Promise<void> {
    const code = (await this.sendForm('register')) ?? (await this.sendForm('login'))
    if (code === undefined) throw new Unexpected('neither registered nor signed in')
    await this.spend(code)
    const me = expectStatus(await this.platform('GET', '/api/v1/users/me'), 'me')
    this.account.id = String(me['id'])
    const found = await this.platform('POST', '/api/v1/applications/', {
      type: 'Usage',
      scope: 'Global',
      user_id: this.account.id,
    })
    this.account.application =
      found.status === 409 ? await this.findApplication() : String(expectStatus(found, 'application')['id'])
    const credential = await this.platform('POST', '/api/v1/credentials/', {
      application_id: this.account.application,
      host: this.client.origin,
    })
    this.key = String(expectStatus(credential, 'credential')['token'])
  }

  /** Another sign-in of the same account; it counts from its first call on. */
  async signIn(): Promise<void> {
    const code = await this.sendForm('login')
    if (code === undefined) return this.fault('sign-in', 'the right password was refused')
    await this.spend(code)
    const me = expectStatus(await this.platform('GET', '/api/v1/users/me'), 'me')
    if (me['id'] !== this.account.id) this.fault('sign-in', 'led to another account')
  }

  /** Renews the token before it ends, as the pages do. */
  async renewIfDue(): Promise<void> {
    if (performance.now() >= this.renewAt) await this.signIn()
  }

  private async findApplication(): Promise<string> {
    const page = expectStatus(await this.platform('GET', `/api/v1/applications/?user_id=${this.account.id}`), 'list')
    const items = Array.isArray(page['items']) ? (page['items'] as {id: string; scope: string}[]) : [] // as: its contract
    return items.find(({scope}) => scope === 'Global')?.id ?? ''
  }

  /** Sends the form of a page; gives the code it leads back with. `undefined`: it was refused. */
  private async sendForm(kind: 'register' | 'login'): Promise<string | undefined> {
    const {origin} = this.client
    const redirect = `${origin}/auth/callback?redirect=%2Fchatgpt`
    const path = `/services/auth/auth/${kind}?${new URLSearchParams({redirect}).toString()}`
    const shown = await this.client.ask({method: 'GET', path})
    const token = /name="form_token" value="([^"]*)"/.exec(shown.body.toString())?.[1] ?? ''
    const cookies = (shown.headers['set-cookie'] ?? []).map((line) => line.split(';', 1)[0])
    const answer = await this.client.ask({
      method: 'POST',
      path,
      headers: {'content-type': 'application/x-www-form-urlencoded', cookie: cookies.join('; ')},
      body: new URLSearchParams({form_token: token, email: this.account.email, password}).toString(),
    })
    return new URL(answer.headers.location ?? '', origin).searchParams.get('code') ?? undefined
  }

  /**
   * A code is sent once, as the pages do: sent again it would end the sign-in that it began. Where its answer is lost,
   * a new one is fetched.
   */
  private async spend(code: string): Promise<void> {
    let current: string | undefined = code
    for (let turn = 0; turn < 20 && current !== undefined; turn += 1) {
      const wish: Wish = {
        method: 'POST',
        path: '/services/auth/oauth2/v1/token',
        headers: {'content-type': 'application/json'},
        body: JSON.stringify({code: current}),
      }
      const answer = await this.client.once(wish).catch(() => undefined)
      if (answer?.status === 200) {
        const token = jsonOf(answer)
        this.accessToken = String(token['access_token'])
        // an act that begins now may take minutes of blows
        this.renewAt = performance.now() + (Number(token['expires_in']) / 2) * 1000
        return
      }
      this.client.count(`${answer?.status ?? 'no answer'}`, wish.path)
      await pause(200)
      current = await this.sendForm('login')
    }
    throw new Unexpected('no code was taken')
  }
}

/** The body of a good answer. */
export function expectStatus(answer: Answer, what: string): Record<string, unknown> {
  if (answer.status < 200 || answer.status > 299)
    throw new Unexpected(`${what}: ${answer.status} ${answer.body.toString().slice(0, 300)}`)
  return jsonOf(answer)
}

export const newKey = (): string => `cluster-${randomUUID()}`
