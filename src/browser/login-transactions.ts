import {z} from '#contract/schema.ts'
import {recentRedirects} from '#domain/login-loop.ts'
import {parseJson} from '#domain/parse-json.ts'

/** Lifetime of a started login in milliseconds (security R09). */
export const loginLifetime = 10 * 60_000

const transaction = z.object({
  state: z.string().check(z.regex(/^[A-Za-z0-9_-]{22,256}$/)),
  verifier: z.string().check(z.regex(/^[A-Za-z0-9_-]{43,128}$/)),
  returnPath: z.string().check(z.maxLength(2048)),
  /** The `redirect` sent to the login page; the token request repeats it. */
  redirectUri: z.string().check(z.maxLength(4096)),
  /** Unix milliseconds. */
  createdAt: z.number(),
})
/** One login attempt, started by this tab. */
export type LoginTransaction = z.infer<typeof transaction>

const redirectTimes = z.array(z.number())
const keyOf = (state: string) => `atrium.login.${state}`
const redirectsKey = 'atrium.login-redirects'

/** Missing or throwing storage counts as empty: the login then has no transaction and starts again. */
const attempt = <T>(work: () => T, fallback: T): T => {
  try {
    return work()
  } catch {
    return fallback
  }
}

export type LoginTransactions = {
  /** Stores a transaction until it is claimed. `false` if this browser stores nothing. */
  begin(login: LoginTransaction): boolean
  /** The live transaction of a returned `state`. Works once: the transaction is removed even if the exchange fails. */
  claim(state: string | undefined, now: number): LoginTransaction | undefined
  /** Recent times at which this tab went to the login page, in unix milliseconds (`#domain/login-loop.ts` decides). */
  redirects(now: number): number[]
  noteRedirect(now: number): void
  /** Call after a successful sign-in. */
  forgetRedirects(): void
}

/** The part of a storage that login attempts use. */
export type TextStore = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** A browser silently drops a larger cookie. */
const mostCookie = 3_800

/**
 * Short-lived cookies of this host, for a browser that forbids its storages. Throws if cookies are forbidden too.
 * @param page the document of the cookies
 */
export const createCookieStore = (
  page: Pick<Document, 'cookie'> = document,
  {protocol}: Pick<Location, 'protocol'> = location,
): TextStore => {
  const nameOf = (key: string) => encodeURIComponent(key)
  const read = (key: string) => {
    const start = `${nameOf(key)}=`
    const cookie = page.cookie.split('; ').find((pair) => pair.startsWith(start))
    return cookie === undefined ? null : decodeURIComponent(cookie.slice(start.length))
  }
  const write = (key: string, text: string, lifetime: number) => {
    const guard = protocol === 'https:' ? '; Secure' : ''
    page.cookie = `${nameOf(key)}=${text}; Path=/; SameSite=Lax; Max-Age=${lifetime}${guard}`
  }
  return {
    getItem: read,
    setItem(key, value) {
      const text = encodeURIComponent(value)
      if (text.length > mostCookie) throw new Error('Too long for a cookie')
      write(key, text, loginLifetime / 1_000)
      if (read(key) !== value) throw new Error('Cookies are forbidden')
    },
    removeItem: (key) => write(key, '', 0),
  }
}

/**
 * Login attempts of this tab in `sessionStorage`, or in the second store if the first fails, one entry per `state`
 * (security R09). A code without a live transaction of this browser belongs to another browser.
 */
export const createLoginTransactions = (storage: TextStore | undefined, other?: TextStore): LoginTransactions => {
  const stores = [storage, other].filter((store) => store !== undefined)
  const read = (key: string) =>
    stores.reduce<string | null>((storedText, store) => storedText ?? attempt(() => store.getItem(key), null), null)
  const write = (key: string, value: unknown) =>
    stores.some((store) =>
      attempt(() => {
        store.setItem(key, JSON.stringify(value))
        return true
      }, false),
    )
  const remove = (key: string) => {
    for (const store of stores) attempt(() => store.removeItem(key), undefined)
  }
  const redirects = (now: number) => {
    const storedTimes = redirectTimes.safeParse(parseJson(read(redirectsKey) ?? ''))
    return recentRedirects(storedTimes.success ? storedTimes.data : [], now)
  }

  return {
    begin: (newTransaction) => write(keyOf(newTransaction.state), newTransaction),
    claim(state, now) {
      if (state === undefined) return undefined
      const parsing = transaction.safeParse(parseJson(read(keyOf(state)) ?? ''))
      remove(keyOf(state))
      if (!parsing.success || parsing.data.state !== state) return undefined
      const age = now - parsing.data.createdAt
      return age >= 0 && age <= loginLifetime ? parsing.data : undefined
    },
    redirects,
    noteRedirect: (now) => {
      write(redirectsKey, [...redirects(now), now])
    },
    forgetRedirects: () => remove(redirectsKey),
  }
}
