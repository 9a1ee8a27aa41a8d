import {isRecord} from '#contract/is-record.ts'
import {filesPath} from '../platform/addresses.ts'

/*
 * Addresses of our own files inside requests and answers of tasks, as a value of their own or between the words of a
 * prompt, as midjourney's references stand. They are stored as marks, without an origin, since an installation is
 * reached under several and may get another one.
 */

const prefix = 'atrium-file:'
const marksInside = /atrium-file:(?=[\w-]{22}\/)/g
/** A full stop or a bracket behind an address belongs to the sentence. */
const addressesInside = /https?:\/\/\S*[^\s.,;:!?'"()[\]{}<>]/gi

export const fileMark = ({id, name}: {id: string; name: string}): string => `${prefix}${id}/${encodeURIComponent(name)}`

/** Every text inside of `value`, changed by `change`; `undefined` takes it out. Keys stay. */
export function mapTexts(value: unknown, change: (text: string, key: string) => string | undefined, key = ''): unknown {
  if (typeof value === 'string') return change(value, key)
  if (Array.isArray(value))
    return value.map((item: unknown) => mapTexts(item, change, key)).filter((item) => item !== undefined)
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, item]) => [name, mapTexts(item, change, name)] as const)
      .filter(([, item]) => item !== undefined),
  )
}

const mapRecord = (value: Record<string, unknown>, change: (text: string, key: string) => string | undefined) =>
  mapTexts(value, change) as Record<string, unknown> // a record stays one

/** The web addresses in a text. */
export const addressesIn = (text: string): readonly string[] => text.match(addressesInside) ?? []

/** `value` with other addresses; those that `change` does not know stay. */
export const withOtherAddresses = (
  value: Record<string, unknown>,
  change: (address: string) => string | undefined,
): Record<string, unknown> =>
  mapRecord(value, (text) => text.replace(addressesInside, (address) => change(address) ?? address))

/** `value` with whole addresses below `base` (`platformBase`) instead of marks. */
export const withAddresses = (value: Record<string, unknown>, base: string): Record<string, unknown> =>
  mapRecord(value, (text) => text.replace(marksInside, () => `${base}${filesPath}`))

/** `value` without the texts that `change` takes out. */
export const withTexts = mapRecord
