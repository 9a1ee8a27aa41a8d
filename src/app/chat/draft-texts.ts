import {otherKeys} from '#domain/draft.ts'
import type {Draft} from '#features/chat/draft.types.ts'

/** Equal for drafts of the same text and files; empty for none. */
export const markOf = (draft: Draft | undefined) =>
  draft === undefined ? '' : [draft.text, ...draft.references.map(({url}) => url)].join('\n')

/** These drafts without those of a mark. */
export const without = (mark: string, drafts: readonly Draft[]) => drafts.filter((draft) => markOf(draft) !== mark)

/**
 * The drafts of one user in memory. Beside the draft of a key wait up to three that other tabs typed under it, the
 * newest first (docs/decisions/0170).
 */
export function createDraftTexts(entries: Iterable<readonly [string, Draft]> = []) {
  const drafts = new Map(entries)
  const own = (key: string) => drafts.get(key)
  const put = (key: string, draft: Draft | undefined) => {
    if (draft === undefined) drafts.delete(key)
    else drafts.set(key, draft)
  }
  /** The texts that wait beside that of the key. */
  const others = (key: string) => otherKeys(key).flatMap((at) => drafts.get(at) ?? [])
  /** Keeps each of these texts once, and not that of the key. */
  const putOthers = (key: string, texts: readonly Draft[]) => {
    const byMark = new Map(texts.map((draft) => [markOf(draft), draft]))
    byMark.delete(markOf(drafts.get(key)))
    const distinct = [...byMark.values()]
    for (const [index, at] of otherKeys(key).entries()) put(at, distinct[index])
  }
  const all = (key: string) => [drafts.get(key) ?? [], others(key)].flat()
  return {
    own,
    put,
    /** The text of the key, and those that wait beside it. */
    all,
    putOthers,
    /** The text for a field that opens: that of the key, else the newest that waits. */
    shown: (key: string): Draft | undefined => all(key)[0],
    /** The draft that stood under the key waits beside the one that was typed without knowing it. */
    putBeside(key: string, draft: Draft) {
      const texts = all(key)
      drafts.set(key, draft)
      putOthers(key, texts)
    },
    /** The drafts of a key as they are stored: its own, and those that wait beside it. */
    records(key: string) {
      const texts = all(key)
      return [key, ...otherKeys(key)].map((at, index) => [at, texts[index]] as const)
    },
    entries: () => [...drafts],
    /** Fields that may be open show none of these drafts, which wait for a field that is free. */
    setAside(isAside: (key: string) => boolean) {
      for (const key of [...drafts.keys()]) {
        if (!isAside(key) || key.startsWith('other/')) continue
        const waiting = all(key)
        drafts.delete(key)
        putOthers(key, waiting)
      }
    },
  }
}
