import {expect, test} from 'vitest'
import {waitFor} from 'xstate'
import type {ConversationRecord, RecordMessage} from '#domain/conversation.ts'
import {selectConversation, selectItem} from '#machines/conversation-list/conversation-list.selectors.ts'
import type {UnsentHeard} from '#machines/conversation-list/conversation-list.types.ts'
import {start} from './conversation-list-fixture.ts'

/* The list remembers the versions of a conversation that no server has (decision 204). */

const history: RecordMessage[] = [
  {role: 'user', content: 'foo', id: 'q-1', state: 'finished'},
  {role: 'assistant', content: 'bar', id: 'a-1', attempt: 1, state: 'finished'},
]
const stored: ConversationRecord = {key: 'k', id: 'c-1', model: 'm', messages: history, updatedAt: 5}
const refusal = Object.assign(new Error('foo'), {code: 'forbidden', detail: 'foo', status: 403})

async function open() {
  const world = start([stored], async () => [stored])
  const {list, streams} = world
  list.send({type: 'credential.ready'})
  list.send({type: 'service.changed', capabilities: ['resume', 'stop', 'idempotency', 'versions']})
  await waitFor(list, (snapshot) => snapshot.matches('success'))
  list.send({type: 'conversation.open', key: 'k'})
  const actor = selectConversation(list.getSnapshot(), 'k') ?? expect.fail('The conversation is not open')
  const reports: unknown[] = []
  const facts: UnsentHeard[] = []
  list.on('unsent.heard', (fact) => {
    facts.push(fact)
    reports.push(fact.versions.map(([first]) => first?.content))
  })
  const item = () => selectItem(list.getSnapshot(), 'k') ?? expect.fail('The conversation is not listed')
  return {
    ...world,
    actor,
    facts,
    reports,
    item,
    edit: (question: string, at: number) =>
      actor.send({type: 'message.edit', index: 0, question, references: [], key: `key of ${question}`, at}),
    refuse: (question: string) => streams.get(question)?.error(refusal),
    /** The server has these messages now, as a change of another version brings them. */
    copy: (messages: RecordMessage[]) =>
      list.send({
        type: 'conversation.loaded',
        record: {...stored, key: 'c-1', messages, updatedAt: item().updatedAt + 1},
      }),
    shown: () => actor.getSnapshot().context.messages.map(({content}) => content),
    unsent: () => item().unsentVersions?.map((version) => version.map(({content}) => content)),
  }
}

test('an edit that is refused keeps its position when the version before is shown', async () => {
  const {edit, refuse, copy, shown, unsent, item, actor} = await open()
  edit('better', 10)
  refuse('better')
  expect([shown(), unsent()]).toEqual([['better', ''], [['better', '']]])
  copy(history)
  expect([shown(), item().messages, unsent()]).toEqual([['foo', 'bar'], history, [['better', '']]])
  expect(actor.getSnapshot().value).toBe('finished')
})

test('an answer that is refused keeps its position too', async () => {
  const {actor, refuse, copy, shown, item} = await open()
  actor.send({type: 'answer.regenerate', key: 'key-1', at: 10})
  refuse('foo')
  copy(history)
  expect(shown()).toEqual(['foo', 'bar'])
  expect(item().unsentVersions).toMatchObject([[{id: 'key-1', versions: ['a-1'], outcome: 'refused'}]])
})

test('two edits in a row that are refused are two versions, which the other tabs hear of', async () => {
  const {edit, refuse, copy, shown, unsent, reports} = await open()
  edit('better', 10)
  refuse('better')
  edit('best', 11)
  refuse('best')
  expect(reports.at(-1)).toEqual(['better', 'best'])
  copy(history)
  expect([shown(), unsent()]).toEqual([
    ['foo', 'bar'],
    [
      ['better', ''],
      ['best', ''],
    ],
  ])
})

test('one that is asked again is no version of its own any more, and is one again when it is refused once more', async () => {
  const {edit, refuse, actor, streams, unsent, item} = await open()
  edit('better', 10)
  refuse('better')
  actor.send({type: 'answer.retry', key: 'key-2', at: 11})
  expect(unsent()).toBeUndefined()
  refuse('better')
  expect(item().unsentVersions?.map((version) => version.at(-1)?.id)).toEqual(['key-2'])
  actor.send({type: 'answer.retry', key: 'key-3', at: 12})
  const name = {conversation: 'c-1', message: 'a-2', attempt: 1, question: 'q-2'}
  streams.get('better')?.next({type: 'answer.started', ...name})
  streams.get('better')?.next({type: 'answer.completed'})
  expect(unsent()).toBeUndefined()
  expect(item().messages.map(({id}) => id)).toEqual(['q-2', 'a-2'])
})

test('one that is shown again and asked is asked in its position', async () => {
  const {edit, refuse, copy, actor, item, unsent, shown} = await open()
  edit('better', 10)
  refuse('better')
  edit('best', 11)
  refuse('best')
  copy(history)
  const [version = []] = item().unsentVersions ?? []
  actor.send({type: 'path.show', message: 'key of better', messages: version})
  expect([actor.getSnapshot().value, item().messages]).toEqual(['visiting', history])
  actor.send({type: 'answer.retry', key: 'key-2', at: 12})
  expect([shown(), unsent()]).toEqual([['better'], [['best', '']]])
  expect(actor.getSnapshot().context.messages[0]?.versions).toEqual(['q-1'])
})

test('one that another tab does not know yet stays, when that tells of its own', async () => {
  const {edit, refuse, list, unsent} = await open()
  edit('better', 10)
  refuse('better')
  const versions: RecordMessage[][] = [
    [
      {role: 'user', content: 'elsewhere', unsent: true, versions: ['q-1']},
      {role: 'assistant', content: '', id: 'key-9', unsent: true, state: 'failed', outcome: 'refused'},
    ],
  ]
  list.send({type: 'unsent.heard', id: 'c-1', was: [], versions})
  expect(unsent()).toEqual([
    ['elsewhere', ''],
    ['better', ''],
  ])
})

test('another tab remembers what it hears, and another branch has none', async () => {
  const {list, unsent, copy, shown} = await open()
  const versions: RecordMessage[][] = [
    [
      {role: 'user', content: 'elsewhere', unsent: true, versions: ['q-1']},
      {role: 'assistant', content: '', id: 'key-9', unsent: true, state: 'failed', outcome: 'refused'},
    ],
  ]
  list.send({type: 'unsent.heard', id: 'c-1', was: [], versions})
  expect([shown(), unsent()]).toEqual([['foo', 'bar'], [['elsewhere', '']]])
  list.send({type: 'conversation.loaded', record: {...stored, key: 'branch', id: 'branch'}})
  copy(history)
  expect(unsent()).toEqual([['elsewhere', '']])
  expect(selectItem(list.getSnapshot(), 'branch')?.unsentVersions).toBeUndefined()
})

test('two tabs whose edits are refused at the same moment both keep both, and what one asks again the other has no more', async () => {
  const [here, there] = [await open(), await open()]
  here.edit('better', 10)
  there.edit('best', 10)
  here.refuse('better')
  there.refuse('best')
  const hear = () => {
    const [ours, theirs] = [here.facts.splice(0), there.facts.splice(0)]
    for (const fact of ours) there.list.send(fact)
    for (const fact of theirs) here.list.send(fact)
  }
  const both = () => [here, there].map(({unsent}) => unsent()?.map(([question]) => question))
  hear()
  expect(both().map((questions) => questions?.toSorted())).toEqual([
    ['best', 'better'],
    ['best', 'better'],
  ])
  there.copy(history)
  here.actor.send({type: 'answer.retry', key: 'key-2', at: 11})
  hear()
  expect(both()).toEqual([['best'], ['best']])
})
