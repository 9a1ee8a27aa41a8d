import {z} from '#contract/schema.ts'
import {isRecord} from '#contract/is-record.ts'
import {parseJson} from '#domain/parse-json.ts'
import {isSameData} from '#domain/same-data.ts'

/** The specification's key of the stored state (spec §4). */
export const stateKey = 'vuex'
const quarantinePrefix = `${stateKey}.corrupt.`
/**
 * Increase it if the meaning of a slice changes. Slices are validated one by one, so another version is not a failure.
 */
export const version = 1

const meta = z.object({v: z.catch(z.number(), version), epoch: z.catch(z.number(), 0), savedAt: z.catch(z.number(), 0)})

/** The stored object: slices at the top level, as the specification's app keeps them. */
export type StoredSlices = Record<string, unknown>
export type StoredState = {
  slices: StoredSlices
  /** Counts sign-outs of this browser (security R16). */
  epoch: number
  /** Version of the app that wrote it; a newer one stores parts that this one does not know. */
  v?: number
}

/** `undefined` if the text is not a stored state. */
export const parseState = (text: string | null): StoredState | undefined => {
  if (text === null) return {slices: {}, epoch: 0}
  const value = parseJson(text)
  if (!isRecord(value)) return undefined
  const {_meta, ...slices} = value
  const storedMeta = meta.safeParse(_meta)
  return storedMeta.success ? {slices, epoch: storedMeta.data.epoch, v: storedMeta.data.v} : {slices, epoch: 0}
}

export const formatState = ({slices, epoch, v = version}: StoredState, savedAt: number) =>
  JSON.stringify({...slices, _meta: {v: Math.max(v, version), epoch, savedAt}})

/** Keeps the newest unreadable text for later inspection (security R55). */
export const quarantine = (storage: Storage, text: string, at: number) => {
  const keys = Array.from({length: storage.length}, (_, index) => storage.key(index))
  for (const key of keys) if (key?.startsWith(quarantinePrefix) === true) storage.removeItem(key)
  storage.setItem(`${quarantinePrefix}${at}`, text)
}

/** The difference of two stored states: slices with a new value, and names of removed ones. */
export const changedSlices = (before: StoredSlices, after: StoredSlices) => ({
  written: Object.fromEntries(Object.entries(after).filter(([name, slice]) => !isSameData(before[name], slice))),
  removed: Object.fromEntries(
    Object.keys(before)
      .filter((name) => !(name in after))
      .map((name) => [name, undefined]),
  ),
})

/**
 * The state of a tab whose last write found no room, once another tab has written: a sign-out there counts here, and
 * slices that were written there are newer than what could not be stored.
 */
export function joinNews(own: StoredState, before: StoredState | undefined, news: StoredState): StoredState {
  if (news.epoch !== own.epoch) return news.epoch > own.epoch ? news : own
  return {...own, slices: {...own.slices, ...changedSlices(before?.slices ?? {}, news.slices).written}}
}
