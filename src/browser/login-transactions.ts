import {z} from '#contract/schema.ts'
import {recentRedirects} from '#domain/login-loop.ts'
import {parseJson} from '#domain/parse-json.ts'

/** How long a started login may take (security R09). */
export const loginLifetime = 10 * 60_000

const transaction = z.object({
  state: z.string().check(z.regex(/^[A-Za-z0-9_-]{22,256}$/)),
  verifier: z.string().check(z.regex(/^[A-Za-z0-9_-]{43,128}$/)),
  returnPath: z.string().check(z.maxLength(2048)),
  /** The `redirect` the login page was given: the token request repeats it. */
  redirectUri: z.string().check(z.maxLength(4096)),
  /** Unix milliseconds. */
  createdAt: z.number(),
})
/** One attempt to sign in, started by this tab. */
export type LoginTransaction = z.infer<typeof transaction>

const redirectTimes = z.array(z.number())
const keyOf = (state: string) => `atrium.login.${state}`
const redirectsKey = 'atrium.login-redirects'

/** Storage that is missing or throws is storage that is empty: the login then has no transaction and starts anew. */
const attempt = <T>(work: () => T, fallback: T): T => {
  try {
    return work()
  } catch {
    return fallback
  }
}

export type LoginTransactions = {
  /** Keeps a transaction until it is claimed. `false` when this browser stores nothing. */
  begin(started: LoginTransaction): boolean
  /** The live transaction of a returned `state`, once: it is gone afterwards, whatever comes of the exchange. */
  claim(state: string | undefined, now: number): LoginTransaction | undefined
  /** When this tab went to the login page of late, in unix milliseconds (`#domain/login-loop.ts` judges). */
  redirects(now: number): number[]
  noteRedirect(now: number): void
  /** After a sign-in that worked. */
  forgetRedirects(): void
}

/** The part of a storage that login attempts need. */
export type TextStore = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** A browser drops a larger cookie without a word. */
const mostCookie = 3_800

/**
 * Short-lived cookies of this host, for a browser that forbids its storages. Throws where cookies are forbidden too.
 * @param page whose cookies they are
 */
export const createCookieStore = (
  page: Pick<Document, 'cookie'> = document,
  {protocol}: Pick<Location, 'protocol'> = location,
): TextStore => {
  const nameOf = (key: string) => encodeURIComponent(key)
  const read = (key: string) => {
    const start = `${nameOf(key)}=`
    const found = page.cookie.split('; ').find((pair) => pair.startsWith(start))
    return found === undefined ? null : decodeURIComponent(found.slice(start.length))
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
 * Login attempts of this tab in `sessionStorage`, or in the second store where that one fails, one entry for each `state` (security R09). A code without a live
 * transaction of this browser is somebody else's code.
 */
export const createLoginTransactions = (storage: TextStore | undefined, other?: TextStore): LoginTransactions => {
  const stores = [storage, other].filter((store) => store !== undefined)
  const read = (key: string) =>
    stores.reduce<string | null>((found, store) => found ?? attempt(() => store.getItem(key), null), null)
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
    const known = redirectTimes.safeParse(parseJson(read(redirectsKey) ?? ''))
    return recentRedirects(known.success ? known.data : [], now)
  }

  return {
    begin: (started) => write(keyOf(started.state), started),
    claim(state, now) {
      if (state === undefined) return undefined
      const stored = transaction.safeParse(parseJson(read(keyOf(state)) ?? ''))
      remove(keyOf(state))
      if (!stored.success || stored.data.state !== state) return undefined
      const age = now - stored.data.createdAt
      return age >= 0 && age <= loginLifetime ? stored.data : undefined
    },
    redirects,
    noteRedirect: (now) => {
      write(redirectsKey, [...redirects(now), now])
    },
    forgetRedirects: () => remove(redirectsKey),
  }
}

/** What the auth service added to the address. */
export type LoginReturn = {code: string; state: string | undefined}

/**
 * Takes `code` and `state` out of the address before anything else can read or send it (security R11).
 * Call it first of all. `undefined` when the address has no code.
 */
export const takeLoginReturn = (
  address: Pick<Location, 'href'> = location,
  entries: Pick<History, 'replaceState' | 'state'> = history,
): LoginReturn | undefined => {
  const url = new URL(address.href)
  const code = url.searchParams.get('code')
  if (code === null) return undefined
  const state = url.searchParams.get('state') ?? undefined
  url.searchParams.delete('code')
  url.searchParams.delete('state')
  entries.replaceState(entries.state, '', url.href)
  return code === '' || code.length > 512 ? undefined : {code, state}
}
