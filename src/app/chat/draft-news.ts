import type {TabFact, Tabs} from '#browser/tabs.ts'

type DraftHeard = Extract<TabFact, {type: 'draft.heard'}>

/** Characters; the text of a longer one is copied for each other tab, which took most of the time of a key. */
const longDraft = 2_000
/** Milliseconds without a key after which the other tabs hear of a long draft. */
const pause = 500

/** Reports drafts to the other tabs: at once, or a long one when its user pauses. Nothing is left out at the end. */
export function createDraftNews({tell}: Pick<Tabs, 'tell'>) {
  const waiting = new Map<string, {fact: DraftHeard; timer: ReturnType<typeof setTimeout>}>()
  const drop = (key: string) => {
    clearTimeout(waiting.get(key)?.timer)
    waiting.delete(key)
  }
  const flush = (key: string) => {
    const fact = waiting.get(key)?.fact
    drop(key)
    if (fact !== undefined) tell(fact)
  }
  return {
    tell(news: DraftHeard) {
      const {key, draft, sent} = news
      // the others have it by its last text
      if (sent !== undefined) flush(key)
      const fact = {...news, was: waiting.get(key)?.fact.was ?? news.was}
      drop(key)
      if (draft === undefined || draft.text.length < longDraft) return tell(fact)
      waiting.set(key, {fact, timer: setTimeout(() => flush(key), pause)})
    },
    /** Another tab replaced it. */
    drop,
    flush: () => {
      for (const key of [...waiting.keys()]) flush(key)
    },
  }
}
