import {BlockList, isIP} from 'node:net'
import {StartFailure} from './start-failure.ts'

/** One variable of the environment; secrets are never repeated in a sentence. */
export type Source = {name: string; text: string | undefined}

/** A value of spaces or commas alone is an error; an empty text counts as unset. */
export function readText({name, text}: Source): string | undefined {
  if (text !== undefined && text !== '' && /^[\s,]*$/.test(text))
    throw new StartFailure(`${name} holds nothing but spaces and commas: give it a value, or leave it out.`)
  return text?.trim() || undefined
}

export const list = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean)

const wrong = ({name, text}: Source, expectation: string) =>
  new StartFailure(`${name} must be ${expectation}, not "${text}".`)

export function readWhole(source: Source, fallback: number, least: number, most: number): number {
  if (source.text === undefined) return fallback
  const value = Number(source.text)
  if (!/^\d+$/.test(source.text) || value < least || value > most) {
    throw wrong(
      source,
      `a whole number ${most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`}`,
    )
  }
  return value
}

export function readDecimal(source: Source, fallback: string): string {
  if (source.text === undefined) return fallback
  if (!/^\d{1,12}(\.\d{1,6})?$/.test(source.text))
    throw wrong(source, 'a number of at least 0 with at most six decimals')
  return source.text
}

/** `0:10,500:12`: from which sum in US dollars which percentage counts, ascending from 0. */
export function readLevels(source: Source, fallback: string): {threshold: string; percentage: number}[] {
  const levels = list(source.text ?? fallback).map((item) => {
    const [, threshold = '', percentage = ''] = /^(\d{1,12}(?:\.\d{1,6})?):(\d{1,3}(?:\.\d{1,3})?)$/.exec(item) ?? []
    return {threshold, percentage: Number(percentage)}
  })
  const isAscending = levels.every(({threshold}, index) =>
    index === 0 ? Number(threshold) === 0 : Number(threshold) > Number(levels[index - 1]?.threshold),
  )
  if (!isAscending || levels.some(({threshold, percentage}) => threshold === '' || percentage > 100))
    throw wrong(source, 'levels such as 0:10,500:12,2000:15: sums in US dollars from 0 upwards, each with a percentage')
  return levels
}

export function readFactor(source: Source): number {
  if (source.text === undefined) return 1
  const value = Number(source.text)
  if (!(value > 0 && Number.isFinite(value))) throw wrong(source, 'a number above 0')
  return value
}

export function readChoice<T extends string>(source: Source, fallback: T, choices: readonly T[]): T {
  if (source.text === undefined) return fallback
  const value = choices.find((choice) => choice === source.text)
  if (value === undefined) throw wrong(source, `one of ${choices.join(', ')}`)
  return value
}

export function readSwitch(source: Source, fallback: boolean): boolean {
  if (source.text === undefined) return fallback
  if (/^(true|1|yes|on)$/i.test(source.text)) return true
  if (/^(false|0|no|off)$/i.test(source.text)) return false
  throw wrong(source, 'true or false')
}

export function readOrigin(name: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isOrigin =
    url !== undefined && /^https?:$/.test(url.protocol) && url.origin === text.replace(/\/$/, '').toLowerCase()
  if (!isOrigin)
    throw wrong(
      {name, text},
      'an origin (scheme, host, port if unusual, nothing after it), such as https://ai.example.org',
    )
  return url.origin
}

export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))

export function checkAddress(text: string): string {
  const [address = '', prefix] = text.split('/')
  const family = isIP(address)
  const longest = family === 4 ? 32 : 128
  if (family === 0 || (prefix !== undefined && !(/^\d{1,3}$/.test(prefix) && Number(prefix) <= longest))) {
    throw wrong({name: 'TRUSTED_PROXIES', text}, 'addresses or networks, such as 10.0.0.1 or 10.0.0.0/8')
  }
  return text
}

/** The addresses of `TRUSTED_PROXIES` as a set to ask. */
export function proxyList(trustedProxies: readonly string[]): BlockList {
  const proxies = new BlockList()
  for (const entry of trustedProxies) {
    const [address = '', prefix] = entry.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (prefix === undefined) proxies.addAddress(address, family)
    else proxies.addSubnet(address, Number(prefix), family)
  }
  return proxies
}

export function readBaseUrl(name: string, text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol) || new URL(text).search !== '') {
    throw wrong({name, text}, 'an http address, such as http://127.0.0.1:8000/v1')
  }
  return text.replace(/(?<!\/)\/+$/, '')
}
