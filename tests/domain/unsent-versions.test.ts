import {describe, expect, test} from 'vitest'
import {joinStored, toConversations} from '#browser/bulk-records.ts'
import type {ConversationRecord, RecordMessage} from '#domain/conversation.ts'
import {mergeConversation} from '#domain/merge-conversation.ts'
import {indexOfAnchor} from '#domain/message-anchor.ts'
import {
  hiddenPath,
  hiddenVersions,
  isVersionsName,
  lacksVersions,
  unreadVersions,
  versionsName,
} from '#domain/hidden-versions.ts'
import {searchEntry, searchedMessage} from '#domain/search-entry.ts'
import {createSearchIndex} from '#domain/search-index.ts'
import {unsentAfter} from '#domain/versions.ts'
import {versionName, versionPosition} from '#domain/version-position.ts'

/* Versions that no server has: a refused edit or answer keeps its position (decision 204). */

const said = (role: 'user' | 'assistant', content: string, id: string, versions?: string[]): RecordMessage => ({
  role,
  content,
  id,
  state: 'finished',
  ...(versions && {versions}),
})
const one = [said('user', 'one', 'q-1'), said('assistant', 'first', 'a-1')]
const two = [said('user', 'two', 'q-2'), said('assistant', 'second', 'a-2')]
const three = [said('user', 'three', 'q-3'), said('assistant', 'third', 'a-3')]

const failure = (key: string, more: Partial<RecordMessage> = {}): RecordMessage => ({
  role: 'assistant',
  content: '',
  id: key,
  state: 'failed',
  outcome: 'refused',
  unsent: true,
  ...more,
})
const edit = (content: string, versions: string[], key: string, more: Partial<RecordMessage> = {}): RecordMessage[] => [
  {role: 'user', content, unsent: true, versions},
  failure(key, more),
]
const better = edit('better', ['q-2'], 'key-1')

const record = (messages: RecordMessage[], updatedAt = 5, more: Partial<ConversationRecord> = {}) => ({
  key: 'k',
  id: 'c-1',
  model: 'm',
  messages,
  updatedAt,
  ...more,
})
const merged = (ours: ConversationRecord, theirs: ConversationRecord) => {
  const {messages, unsentVersions} = mergeConversation(ours, theirs)
  return {messages, unsentVersions}
}

describe('the failure of an answer to a question that stands there already', () => {
  const ours = record([...one, said('user', 'two', 'q-2'), failure('key-1')], 5)
  test('stays below its question', () => {
    const copy = record([...one, said('user', 'two', 'q-2')], 6)
    expect(merged(ours, copy)).toEqual({messages: ours.messages, unsentVersions: undefined})
  })
  test('goes with its question where another page deleted that, and stands below no other message', () => {
    expect(merged(ours, record(one, 6))).toEqual({messages: one, unsentVersions: undefined})
    const next = [{...said('user', 'three', ''), id: undefined, unsent: true}, failure('key-2')]
    expect(merged({...ours, messages: [...ours.messages, ...next]}, record(one, 6)).messages).toEqual([...one, ...next])
  })
  test('goes where another page was given an answer', () => {
    expect(merged(ours, record([...one, ...two], 6)).messages).toEqual([...one, ...two])
  })
})

describe('beside a younger copy of the server', () => {
  test.each([
    ['an edit', [...one, ...better], [...one, ...two], better],
    ['an edit of the first question', edit('uno', ['q-1'], 'key-1'), one, edit('uno', ['q-1'], 'key-1')],
    ['an edit within a long conversation', [...one, ...better], [...one, ...two, ...three], better],
    [
      'an answer that was to be given again',
      [...one, failure('key-1', {versions: ['a-1']})].toSpliced(1, 1),
      one,
      [failure('key-1', {versions: ['a-1']})],
    ],
    ['one on another path', [...one, ...better], [said('user', 'uno', 'q-9', ['q-1', 'q-9'])], better],
    ['one that was gone on after', [...one, ...better, ...three], [...one, ...two, ...three], better],
  ] satisfies [string, RecordMessage[], RecordMessage[], RecordMessage[]][])(
    '%s keeps its position',
    (_, ours, theirs, version) => {
      const once = merged(record(ours), record(theirs, 9))
      expect(once).toEqual({messages: theirs, unsentVersions: [version]})
      // reading the same copy again changes nothing
      expect(merged(record(theirs, 9, once), record(theirs, 9))).toEqual(once)
      expect(merged(record(theirs, 9, once), record(theirs, 10))).toEqual(once)
    },
  )

  test('one whose other versions were deleted stays, as a question of its own', () => {
    expect(merged(record([...one, ...better]), record(one, 9)).messages).toEqual([...one, ...better])
    const uno = edit('uno', ['q-1'], 'key-1')
    expect(merged(record(uno), record([], 9)).messages).toEqual(uno)
  })

  test('one on its way stays shown', () => {
    const running: RecordMessage = {role: 'assistant', content: '', id: 'key-1', state: 'pending'}
    const asked: RecordMessage[] = [...one, {role: 'user', content: 'better', versions: ['q-2']}, running]
    expect(merged(record(asked), record([...one, ...two], 9)).messages).toEqual(asked)
  })
})

test.each([
  ['an older copy', 9],
  ['a copy of the same second', 5],
])('beside %s it stays shown, in its position', (_, updatedAt) => {
  expect(merged(record([...one, ...better], updatedAt), record([...one, ...two]))).toEqual({
    messages: [...one, ...better],
    unsentVersions: [better],
  })
})

describe('the versions of a conversation that goes on', () => {
  const best = edit('best', ['q-2'], 'key-2')
  const shown = record([...one, ...better])

  test('keep two failed edits in a row, and an edit before one that failed', () => {
    expect(unsentAfter(shown, [...one, ...best])).toEqual([better, best])
    expect(unsentAfter(shown, edit('uno', ['q-1'], 'key-3'))).toEqual([better, edit('uno', ['q-1'], 'key-3')])
  })

  test('lose the one that is asked again, whether it is on its way, answered or refused once more', () => {
    const asked: RecordMessage = {role: 'user', content: 'better', versions: ['q-2']}
    expect(unsentAfter(shown, [...one, asked])).toBeUndefined()
    expect(unsentAfter(shown, [...one, {...asked, id: 'q-4', versions: ['q-2', 'q-4']}])).toBeUndefined()
    const again = edit('better', ['q-2'], 'key-4')
    expect(unsentAfter(record([...one, asked]), [...one, ...again])).toEqual([again])
  })

  test('lose one that the server has after all, by its words and its files', () => {
    const lost = edit('better', ['q-2'], 'key-1', {outcome: 'interrupted'})
    const theirs = (content: RecordMessage['content']) => [
      ...one,
      {...said('user', '', 'q-4', ['q-2', 'q-4']), content},
      said('assistant', 'yes', 'a-4'),
    ]
    expect(merged(record([...one, ...lost]), record(theirs('better'), 9)).unsentVersions).toBeUndefined()
    const other = [
      {type: 'text' as const, text: 'better'},
      {type: 'file_url' as const, file_url: 'f'},
    ]
    expect(merged(record([...one, ...lost]), record(theirs(other), 9)).unsentVersions).toEqual([lost])
  })

  test('lose a failure once another answer was given, and keep it beside those that it knew', () => {
    const again = failure('key-1', {versions: ['a-1']})
    const failed = record([one[0] ?? again, again])
    expect(unsentAfter(failed, one)).toEqual([[again]])
    expect(unsentAfter(failed, [said('assistant', 'anew', 'a-9', ['a-1', 'a-9'])])).toBeUndefined()
  })
})

describe('the position', () => {
  const unsentVersions = [better, edit('best', ['q-2'], 'key-2'), edit('uno', ['q-1'], 'key-3')]
  const positionIn = (messages: RecordMessage[], index: number) => {
    const message = messages[index] ?? failure('none')
    return versionPosition(message, unsentVersions, versionName(messages, index))
  }

  test('counts those of the server, then those that it has not, of this message alone', () => {
    expect(positionIn([...one, ...two], 2)).toEqual({index: 0, count: 3, previous: undefined, next: 'key-1'})
    expect(positionIn([...one, ...better], 2)).toEqual({index: 1, count: 3, previous: 'q-2', next: 'key-2'})
    expect(positionIn([...one, ...better], 3)).toBeUndefined()
    expect(positionIn([...one, ...two], 0)).toEqual({index: 0, count: 2, previous: undefined, next: 'key-3'})
    expect(positionIn([...one, ...two], 1)).toBeUndefined()
  })

  test('of one that is asked again is the last', () => {
    const asked: RecordMessage = {role: 'user', content: 'third', versions: ['q-2']}
    expect(positionIn([...one, asked], 2)).toEqual({index: 3, count: 4, previous: 'key-2', next: undefined})
  })
})

describe('in the search', () => {
  const found = record([...one, ...two], 5, {unsentVersions: [better]})
  test('their words are found, and lead to them', () => {
    const index = createSearchIndex()
    index.put([searchEntry(found)])
    const [hit] = index.find('better', 9)
    expect(hit).toEqual({key: 'k', message: 4})
    expect(searchedMessage(found, hit ?? {})).toEqual({message: better[0], anchor: 'key-1'})
    expect(searchedMessage(found, {message: 2})).toEqual({message: two[0], anchor: 'q-2'})
  })
  test('a refused edit is named by its failure, and its link leads to the question', () => {
    expect(indexOfAnchor([...one, ...better, ...three], 'key-1')).toBe(2)
    expect(indexOfAnchor([...one, ...better, ...three], 'q-3')).toBe(4)
    expect(indexOfAnchor([...one.slice(0, 1), failure('key-1', {versions: ['a-1']})], 'key-1')).toBe(1)
  })
  test('one that is shown is found where it stands', () => {
    const shown = record([...one, ...better], 5, {unsentVersions: [better]})
    const index = createSearchIndex()
    index.put([searchEntry(shown)])
    expect(index.find('better', 9)).toEqual([{key: 'k', message: 2}])
    expect(searchedMessage(shown, {message: 2}).anchor).toBe('m3')
  })
})

describe('versions on no path of this device', () => {
  const asked = {...one[0], id: 'q-1', role: 'user' as const, content: 'Which animal?'}
  const shown = {id: 'a-2', role: 'assistant' as const, content: 'An owl.', versions: ['a-1', 'a-2']}
  const kept = record([asked, shown], 5, {id: 'k'})
  const node = {role: 'assistant' as const, created_at: 0}
  const tree = {
    ...{id: 'k', model: 'foo', created_at: 0, updated_at: 0},
    messages: [
      {...node, id: 'q-1', role: 'user' as const, content: 'Which animal?', parent: null},
      {...node, id: 'a-1', content: 'A **pangolin**.', parent: 0},
      {...node, id: 'a-2', content: 'An owl.', parent: 0},
    ],
  }
  test('are found, and lead to their path', () => {
    const index = createSearchIndex()
    index.put([searchEntry(kept, hiddenVersions(kept, tree))])
    const [hit] = index.find('pangolin', 9)
    expect(hit).toEqual({key: 'k', hidden: {id: 'a-1', role: 'assistant', text: 'A **pangolin**.'}})
    expect(searchedMessage(kept, hit ?? {})).toMatchObject({message: {id: 'a-1'}, anchor: 'a-1'})
    expect(index.find('owl', 9)).toEqual([{key: 'k', message: 1}])
  })
  test('are no message of theirs that the path shows by now', () => {
    const both = record([asked, {...shown, id: 'a-1'}], 6, {id: 'k'})
    expect(searchEntry(both, hiddenVersions(kept, tree)).hidden).toEqual([])
  })
  test('are none beside another path, such as that without a deleted message', () => {
    expect(isVersionsName(kept, versionsName(kept))).toBe(true)
    expect(isVersionsName(record([asked], 6, {id: 'k'}), versionsName(kept))).toBe(false)
    expect(isVersionsName(record([asked, {...shown, id: 'a-1'}], 6, {id: 'k'}), versionsName(kept))).toBe(false)
  })
  test('are those of a revision, and of what was made of it here, whatever follows the last version', () => {
    const copy = {...kept, revision: '1:7'}
    expect(isVersionsName({...kept, messages: [...kept.messages, {...asked, id: 'q-2'}]}, versionsName(copy))).toBe(
      true,
    )
    expect(isVersionsName({...kept, revision: '1:8'}, versionsName(copy))).toBe(false)
    expect(isVersionsName(copy, versionsName(kept))).toBe(false)
  })
  test('are asked for where a message has several', () => {
    const single = record([asked], 5, {id: 'k'})
    expect(unreadVersions([single, kept, kept], {}, 1)).toEqual([kept])
    expect(lacksVersions([single], {})).toBe(false)
    expect(lacksVersions([kept], {k: versionsName(kept)})).toBe(false)
    expect(lacksVersions([{...kept, revision: '1:7'}], {k: versionsName(kept)})).toBe(true)
  })
  test('make a path to what was shown last behind them, as on the server', () => {
    const left = {
      ...tree,
      messages: [
        ...tree.messages,
        {...node, id: 'q-3', role: 'user' as const, content: 'Where?', parent: 1, created_at: 10, hidden_at: 50},
        {...node, id: 'q-4', role: 'user' as const, content: 'When?', parent: 1, created_at: 20, hidden_at: 30},
        {...node, id: 'q-5', role: 'user' as const, content: 'Why?', parent: 1, created_at: 40},
      ],
    }
    expect(hiddenPath(kept, hiddenVersions(kept, left), 'a-1')?.at(-1)?.id).toBe('q-3')
    const older = hiddenVersions(kept, left).map(({hidden_at: _, ...message}) => message)
    expect(hiddenPath(kept, older, 'a-1')?.at(-1)?.id).toBe('q-5')
    expect(hiddenPath(kept, hiddenVersions(kept, left), 'a-1')?.at(-1)).not.toHaveProperty('hidden_at')
  })
  test('make a path to the newest of what follows them, with their versions', () => {
    const longer = {
      ...tree,
      messages: [
        ...tree.messages,
        {...node, id: 'q-3', role: 'user' as const, content: 'Where?', parent: 1},
        {...node, id: 'a-3', content: 'There.', parent: 3},
        {...node, id: 'a-4', content: 'Here.', parent: 3},
        {...node, id: 'a-5', content: 'He', parent: 3, state: 'answering' as const},
      ],
    }
    const path = (id: string) => hiddenPath(kept, hiddenVersions(kept, longer), id)
    expect(path('a-3')?.map(({id, versions}) => [id, versions])).toEqual([
      ['q-1', undefined],
      ['a-1', ['a-1', 'a-2']],
      ['q-3', undefined],
      ['a-3', ['a-3', 'a-4']],
    ])
    expect(path('a-1')?.map(({id}) => id)).toEqual(['q-1', 'a-1', 'q-3', 'a-4'])
    expect([path('a-2'), path('a-5')]).toEqual([undefined, undefined])
    expect(hiddenPath({messages: []}, hiddenVersions(kept, longer), 'a-1')).toBeUndefined()
  })
})

describe('in the storage', () => {
  const stored = record([...one, ...two], 5, {unsentVersions: [better]})
  test('they are kept; a conversation of an earlier version has none', () => {
    expect(toConversations([stored, record(one, 4)], () => undefined)).toEqual([stored, record(one, 4)])
    expect(joinStored([stored], [])).toEqual([stored])
  })
  test('of two tabs that stored the conversation both are kept, whichever copy is younger', () => {
    const best = edit('best', ['q-2'], 'key-2')
    const began = record([...one, ...two], 5, {key: 'page', unsentVersions: [better]})
    for (const updatedAt of [4, 6]) {
      const copy = record([...one, ...two], updatedAt, {key: 'c-1', unsentVersions: [best]})
      const [joined] = joinStored([began, copy], [])
      expect(joined?.unsentVersions).toEqual([better, best])
    }
  })
  test('one that an earlier version stored among the messages is one as well', () => {
    const [earlier] = toConversations([record([...one, ...better])], () => undefined)
    expect(merged(earlier ?? stored, record([...one, ...two], 9)).unsentVersions).toEqual([better])
  })
})
