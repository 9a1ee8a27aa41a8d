import {afterEach, beforeEach, expect, test, vi} from 'vitest'
import {z} from '#contract/schema.ts'
import type {ConversationRecord, RecordMessage} from '#domain/conversation.ts'
import {lostContact, type Failure} from '#domain/failure.ts'
import {selectMessages} from '#machines/conversation/conversation.selectors.ts'
import {selectConversation} from '#machines/conversation-list/conversation-list.selectors.ts'
import type {MessageChange} from '#machines/message-changes/message-changes.types.ts'
import {closeTabs, openBrowser, stored} from './tabs-fixture.ts'

/* A thread pages to versions that no server has (decision 204). */

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  closeTabs()
  vi.useRealTimers()
})
const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds)

const failure = (key: string): RecordMessage => ({
  role: 'assistant',
  content: '',
  id: key,
  state: 'failed',
  outcome: 'refused',
  unsent: true,
})
const better: RecordMessage[] = [{role: 'user', content: 'better', unsent: true, versions: ['q-1']}, failure('key-1')]
const again: RecordMessage[] = [{...failure('key-2'), versions: ['a-1']}]
/** Another version of the question, which the server can choose. */
const other: RecordMessage[] = [
  {role: 'user', content: 'other', id: 'q-0', state: 'finished', versions: ['q-0', 'q-1']},
]

const below = (...versions: string[]): RecordMessage[] => [
  {role: 'user', content: 'below', unsent: true, versions},
  failure('key-3'),
]

const missing = Object.assign(new Error('foo'), {code: 'not_found', detail: 'foo', status: 404})

async function openThread(record: Partial<ConversationRecord> = {}) {
  const browser = openBrowser()
  const {chat} = browser
  const tab = await browser.openTab({...stored, unsentVersions: [better, again], ...record})
  const {list} = tab
  list.send({type: 'service.changed', capabilities: ['versions', 'paths']})
  list.send({type: 'conversation.open', key: 'foo'})
  const asked: object[] = []
  let lost: Failure | undefined
  const gone: string[] = []
  chat.command = async (schema, body) => {
    if (lost !== undefined) throw Object.assign(new Error('foo'), lost)
    asked.push(body)
    if (gone.some((message) => 'message' in body && body.message === message)) throw missing
    const messages = 'message' in body && body.message === 'q-0' ? other : stored.messages
    return z.parse(schema, {id: 'foo', messages, updated_at: 5, chosen: 'message' in body && body.message !== 'q-0'})
  }
  const actor = selectConversation(list.getSnapshot(), 'foo') ?? expect.fail('The conversation is not open')
  const request = async (change: MessageChange) => {
    tab.changes.send({type: 'change.request', change})
    await pass(1000)
  }
  return {
    tab,
    actor,
    asked,
    remove: async (message: string) => {
      tab.changes.send({type: 'message.remove', message})
      await pass(0)
    },
    unsent: () => tab.record().unsentVersions?.map((version) => version.at(-1)?.id),
    find: () => {
      lost = undefined
      tab.changes.send({type: 'connection.restored'})
    },
    lose: () => void (lost = lostContact('offline')),
    deleteElsewhere: (...messages: string[]) => void gone.push(...messages),
    select: (message: string) => request({action: 'select', message}),
    visit: (message: string) => request({action: 'visit', message}),
    shown: () => selectMessages(actor.getSnapshot()).map(({content}) => content),
    listed: () => tab.record().messages.map(({content}) => content),
    state: () => actor.getSnapshot().value,
    failed: () => tab.changes.getSnapshot().context.failed !== undefined,
  }
}

test('one is shown behind what stands before it, and chosen nowhere', async () => {
  const {select, asked, shown, listed, state} = await openThread()
  await select('key-1')
  expect([state(), shown(), listed(), asked]).toEqual(['visiting', ['better', ''], ['foo?', 'bar'], []])
  await select('key-2')
  // an answer stands behind its question, which is under another version now
  expect(shown()).toEqual(['foo?', ''])
  await select('q-1')
  expect([shown(), asked]).toEqual([['foo?', 'bar'], [{action: 'select', message: 'q-1', id: 'foo'}]])
})

test('without a network all of them are reached, and the chosen path again', async () => {
  const {select, visit, lose, shown, failed} = await openThread()
  lose()
  await select('key-1')
  expect(shown()).toEqual(['better', ''])
  await select('q-1')
  expect(shown()).toEqual(['foo?', 'bar'])
  // as a hit of the search leads there
  await visit('key-2')
  expect([shown(), failed()]).toEqual([['foo?', ''], false])
})

test('one of a path that is not shown is read there', async () => {
  const {visit, asked, shown} = await openThread({unsentVersions: [below('q-0')]})
  await visit('key-3')
  expect([shown(), asked]).toEqual([['below', ''], [{action: 'retrieve', id: 'foo', message: 'q-0'}]])
})

test('one is read through the versions of it that are left', async () => {
  const {visit, deleteElsewhere, shown, failed} = await openThread({unsentVersions: [below('q-7', 'q-0', 'q-8')]})
  deleteElsewhere('q-7', 'q-8')
  await visit('key-3')
  expect([shown(), failed()]).toEqual([['below', ''], false])
})

test('one whose other versions were deleted while nobody looked goes on as a question of its own', async () => {
  const {visit, deleteElsewhere, shown, listed, failed} = await openThread({unsentVersions: [below('q-7', 'q-8')]})
  deleteElsewhere('q-7', 'q-8')
  await visit('key-3')
  expect([shown(), failed()]).toEqual([['foo?', 'bar', 'below', ''], false])
  expect(listed()).toEqual(['foo?', 'bar', 'below', ''])
})

test('an answer whose other versions were deleted has no position, and is forgotten', async () => {
  const {visit, deleteElsewhere, unsent, lose, find, failed, asked} = await openThread({
    unsentVersions: [better, [{...failure('key-5'), versions: ['a-7', 'a-8']}]],
  })
  lose()
  await visit('key-5')
  expect([unsent(), failed()]).toEqual([['key-1', 'key-5'], true])
  find()
  deleteElsewhere('a-7', 'a-8', 'key-5')
  await visit('key-5')
  expect([unsent(), failed(), asked.length]).toEqual([['key-1'], true, 3])
})

test('one that cannot be read says so, and does not move', async () => {
  const {visit, lose, listed, failed} = await openThread({unsentVersions: [below('q-7', 'q-8')]})
  lose()
  await visit('key-3')
  expect([listed(), failed()]).toEqual([['foo?', 'bar'], true])
})

test('one that is gone meanwhile is left', async () => {
  const {tab, select, shown, state, asked} = await openThread()
  await select('key-1')
  tab.list.send({type: 'unsent.heard', id: 'foo', was: [better], versions: []})
  tab.list.send({type: 'conversation.loaded', record: {...tab.record(), messages: [...tab.record().messages]}})
  await pass(1000)
  expect([state(), shown(), asked]).toEqual([expect.not.stringMatching('visiting'), ['foo?', 'bar'], []])
})

test('one whose other versions are all deleted goes on as a question of its own', async () => {
  const two: RecordMessage[] = [
    {role: 'user', content: 'two', id: 'q-2', state: 'finished'},
    {role: 'assistant', content: 'second', id: 'a-2', state: 'finished'},
  ]
  const due: RecordMessage[] = [{role: 'user', content: 'due', unsent: true, versions: ['q-2']}, failure('key-4')]
  const messages = [...stored.messages, ...two]
  const {tab, shown, listed} = await openThread({unsentVersions: [due]})
  const copy = async (theirs: RecordMessage[]) => {
    const record = {...tab.record(), messages: theirs, updatedAt: tab.record().updatedAt + 1}
    tab.list.send({type: 'conversation.loaded', record})
    await pass(0)
  }
  await copy(messages)
  expect(shown()).toEqual(['foo?', 'bar', 'two', 'second'])
  await copy(messages.toSpliced(2, 1))
  expect([shown(), listed()]).toEqual([
    ['foo?', 'bar', 'second', 'due', ''],
    ['foo?', 'bar', 'second', 'due', ''],
  ])
  // on another path nothing is left alone
  const other = await openThread({unsentVersions: [due]})
  const record = {
    ...other.tab.record(),
    messages: [{...two[0], role: 'user' as const, content: 'x', id: 'q-9'}],
    updatedAt: 99,
  }
  other.tab.list.send({type: 'conversation.loaded', record})
  await pass(0)
  expect(other.shown()).toEqual(['x'])
})

test('one is deleted alone once its time to be taken back is over, and the versions beside it stay', async () => {
  const {tab, select, remove, shown, unsent, asked, state} = await openThread()
  const facts: unknown[] = []
  tab.list.on('unsent.heard', (fact) => facts.push(fact))
  await select('key-1')
  await remove('key-1')
  expect(unsent()).toEqual(['key-1', 'key-2'])
  tab.changes.send({type: 'message.restore', message: 'key-1'})
  await pass(9000)
  expect([unsent(), shown(), tab.record().messages]).toEqual([['key-1', 'key-2'], ['better', ''], stored.messages])
  await remove('key-1')
  // as another tab reports a change of the conversation meanwhile
  tab.list.send({type: 'conversation.loaded', record: {...tab.record(), messages: [...tab.record().messages]}})
  await pass(9000)
  expect([unsent(), shown(), state(), asked]).toEqual([['key-2'], ['foo?', 'bar'], 'finished', []])
})

test('one that was refused just now makes room for the version before it, and stays where that is not reached', async () => {
  const messages = [...better]
  const {remove, shown, unsent, lose, find, asked} = await openThread({messages})
  lose()
  await remove('key-1')
  await pass(9000)
  expect(unsent()).toEqual(['key-1', 'key-2'])
  find()
  await pass(9000)
  expect([unsent(), shown(), asked]).toEqual([
    ['key-2'],
    ['foo?', 'bar'],
    [{action: 'select', message: 'q-1', id: 'foo'}],
  ])
})
