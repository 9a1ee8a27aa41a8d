import {z} from '#contract/schema.ts'
import {isWithin} from '#domain/cookie-domain.ts'
import {isLocale, toLocale, toTheme, type Locale, type Theme} from '#domain/locale.ts'

const inviterId = z.string().check(z.regex(/^[A-Za-z0-9_-]{1,64}$/))
/** Seven days (spec §9), in seconds. */
const inviterLifetime = 7 * 24 * 60 * 60

/** The valid ones of the specification's three cookies (security R18). */
export type CookieValues = {inviterId?: string; theme?: Theme; locale?: Locale}

export type CookieJar = {
  read(): CookieValues
  /** Lasts seven days. An invalid id is not written. */
  writeInviter(id: string): void
  /** Lasts until the browser closes; `undefined` follows the system again. */
  writeTheme(theme: Theme | undefined): void
  /** Until the browser closes. */
  writeLocale(locale: Locale): void
}

export type CookieJarOptions = {
  page: Pick<Document, 'cookie'>
  address: Pick<Location, 'protocol' | 'hostname'>
  /** `Domain` attribute by the rule of spec §5 (`#domain/cookie-domain.ts`); `undefined` makes a host-only cookie. */
  domain: string | undefined
}

const parseCookies = (text: string) =>
  new Map(
    text.split(';').flatMap((pair): [string, string][] => {
      const at = pair.indexOf('=')
      return at === -1 ? [] : [[pair.slice(0, at).trim(), pair.slice(at + 1).trim()]]
    }),
  )

/** A browser silently drops a cookie for another site; then a host-only cookie is written. */
export const createCookieJar = ({page, address, domain}: CookieJarOptions): CookieJar => {
  const scope =
    domain !== undefined && isWithin(address.hostname, domain.replace(/^\./, '')) ? `; Domain=${domain}` : ''
  const guard = address.protocol === 'https:' ? '; Secure' : ''
  const write = (name: string, value: string, lifetime?: number) => {
    const age = lifetime === undefined ? '' : `; Max-Age=${lifetime}`
    page.cookie = `${name}=${value}; Path=/; SameSite=Lax${age}${scope}${guard}`
  }
  return {
    read() {
      const cookies = parseCookies(page.cookie)
      const inviter = inviterId.safeParse(cookies.get('INVITER_ID'))
      const theme = toTheme(cookies.get('THEME'))
      const locale = cookies.get('LOCALE')
      return {
        ...(inviter.success ? {inviterId: inviter.data} : {}),
        ...(theme === undefined ? {} : {theme}),
        ...(locale === undefined || locale === '' ? {} : {locale: toLocale(locale)}),
      }
    },
    writeInviter(id) {
      if (inviterId.safeParse(id).success) write('INVITER_ID', id, inviterLifetime)
    },
    writeTheme(theme) {
      if (theme === undefined) write('THEME', '', 0)
      else if (toTheme(theme) !== undefined) write('THEME', theme)
    },
    writeLocale(locale) {
      if (isLocale(locale)) write('LOCALE', locale)
    },
  }
}
