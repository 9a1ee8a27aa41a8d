import {afterEach, expect, test, vi} from 'vitest'
import type {StoredDrafts} from '#domain/draft.ts'
import {draft, setUp} from './drafts-fixture.ts'

afterEach(() => void vi.useRealTimers())

type Names = (key: string) => string | undefined

/** The texts that a user meets: sends the one that shows until there is none. */
function meetAll({read, write, close}: ReturnType<typeof setUp>['drafts']): string[] {
  const texts: string[] = []
  for (let shown = read('key'); shown !== undefined && texts.length < 9; shown = read('key')) {
    texts.push(shown.text)
    write('key', shown)
    close('key')
  }
  return texts.toSorted()
}

/** The same in a page that opens later. */
async function meetLater(stored: StoredDrafts | undefined, idOf: Names) {
  const {drafts, answerReads} = setUp({foo: {...stored}}, undefined, idOf)
  drafts.follow('foo')
  await answerReads()
  return meetAll(drafts)
}

const storedTexts: readonly StoredDrafts[] = [
  {key: draft('by key')},
  {id: draft('by id')},
  {key: draft('by key'), id: draft('by id')},
]
const fields = ['typed', 'emptied', 'untouched', 'unopened'] as const
const moments = ['before the field opens', 'before the read', 'after the read', 'after one more letter'] as const

type Walk = {
  isOverdue: boolean
  named: (typeof moments)[number]
  field: (typeof fields)[number]
  stored: StoredDrafts
  /** An empty field takes what waits for it; one with files does not. */
  looks: boolean
}

/** A page whose drafts are read while its field stands so. @returns the texts that are kept, and those that must be */
async function walk({isOverdue, named, field, stored, looks}: Walk) {
  vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']})
  const names = new Map<string, string>()
  const idOf: Names = (key) => names.get(key)
  const {drafts, written, answerReads} = setUp({foo: {...stored}}, undefined, idOf)
  const pass = (moment: Walk['named']) => {
    if (moment === named) names.set('key', 'id')
  }
  let shownText = ''
  const write = (text: string) => {
    shownText = text
    drafts.write('key', draft(text))
  }
  const open = () => write(drafts.read('key')?.text ?? '')
  drafts.heard.subscribe(() => {
    const news = drafts.heard.get()
    if (news?.keys.includes('key') === true) write(news.draft?.text ?? '')
  })
  drafts.follow('foo')
  pass('before the field opens')
  if (field !== 'unopened') open()
  if (looks && field !== 'unopened') drafts.subscribe(() => drafts.look('key'))
  if (isOverdue) vi.advanceTimersByTime(3_000)
  const reading = new Promise<void>((resolve) => drafts.subscribe(resolve))
  if (field === 'typed' || field === 'emptied') write('typed')
  if (field === 'emptied') write('')
  pass('before the read')
  // other parts of the page read it meanwhile
  drafts.read('key')
  vi.useRealTimers()
  await answerReads()
  await reading
  pass('after the read')
  if (field === 'unopened') open()
  const textBefore = shownText
  write(`${textBefore}+`)
  pass('after one more letter')
  const storedBefore = Object.values(stored).map(({text}) => text)
  const expected = [...storedBefore.filter((text) => text !== textBefore), `${textBefore}+`].toSorted()
  const shownNow = drafts.read('key')?.text
  const later = await meetLater(written['foo'], idOf)
  return {
    kept: {textBefore, shownNow, here: meetAll(drafts), later},
    expected: {
      textBefore: field === 'typed' ? 'typed' : textBefore,
      shownNow: `${textBefore}+`,
      here: expected,
      later: expected,
    },
  }
}

test.each([false, true].flatMap((isOverdue) => moments.map((named) => ({isOverdue, named}))))(
  'no text is lost as the drafts of a conversation are read that is named $named (overdue: $isOverdue)',
  async (when) => {
    const walks = fields.flatMap((field) =>
      storedTexts.flatMap((stored) => [true, false].map((looks) => ({...when, field, stored, looks}))),
    )
    const ends = await Promise.all(walks.map(async (each) => ({each, ...(await walk(each))})))
    expect(ends.map(({each, kept}) => ({each, kept}))).toEqual(ends.map(({each, expected}) => ({each, kept: expected})))
  },
)
