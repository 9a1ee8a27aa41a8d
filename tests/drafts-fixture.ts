import {eventually} from './eventually.ts'
import {Subject} from 'rxjs'
import {expect} from 'vitest'
import type {TabFact} from '#browser/tabs.ts'
import {createDrafts} from '#app/chat/drafts.ts'
import type {StoredDrafts} from '#domain/draft.ts'

export const draft = (text: string) => ({text, references: []})

type Browser = {
  left: {text?: string | undefined}
  written: Record<string, StoredDrafts>
  /** The channels of its tabs: each tab hears the others. */
  tabs: Set<Subject<TabFact>>
}

export const createBrowser = (stored: Record<string, StoredDrafts>, left: Browser['left'] = {}): Browser => ({
  left,
  written: {...stored},
  tabs: new Set(),
})

/** A tab of a browser whose storage answers reads when the test says so. */
export const openTab = (browser: Browser, idOf?: (key: string) => string | undefined) => {
  const waiting: (() => void)[] = []
  const {written, left, tabs} = browser
  const facts$ = new Subject<TabFact>()
  tabs.add(facts$)
  const drafts = createDrafts(
    {
      drafts: (userId) => new Promise((resolve) => waiting.push(() => resolve(written[userId] ?? {}))),
      saveDraft: (userId, key, value) => {
        const {[key]: _before, ...others} = written[userId] ?? {}
        written[userId] = value === undefined ? others : {...others, [key]: value}
      },
    },
    {
      read: () => left.text,
      write: (text) => {
        left.text = text
      },
    },
    {
      facts$,
      tell: (fact) => {
        for (const tab of tabs) if (tab !== facts$) tab.next(fact)
      },
    },
    idOf,
  )
  const answerReads = async () => {
    for (const answer of waiting.splice(0)) answer()
    // the part that reads what was left is loaded with its first use
    await eventually(() => expect(drafts.isReady()).toBe(true))
  }
  return {drafts, written, left, answerReads}
}

export const setUp = (
  stored: Record<string, StoredDrafts>,
  left?: Browser['left'],
  idOf?: (key: string) => string | undefined,
) => openTab(createBrowser(stored, left), idOf)

/** Tabs of one user and browser, whose drafts were read. */
export async function openTabs(stored: StoredDrafts) {
  const browser = createBrowser({foo: stored})
  const open = async (idOf?: (key: string) => string | undefined) => {
    const {drafts, answerReads} = openTab(browser, idOf)
    drafts.follow('foo')
    await answerReads()
    return drafts
  }
  return {browser, open, one: await open(), other: await open()}
}
