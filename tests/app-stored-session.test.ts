import {BehaviorSubject} from 'rxjs'
import {expect, test} from 'vitest'
import {waitFor} from 'xstate'
import {createChatSlice, persistConversations} from '../src/app/logic/persistence.ts'
import {joinStored} from '#browser/bulk-records.ts'
import {fromRecord, readStoredSession} from '../src/app/logic/stored-session.ts'
import {createBackend, createWorld, state} from './machines/root-world.ts'
import type {ConversationRecord} from '#domain/conversation.ts'
import type {ConversationListActor} from '#machines/conversation-list/conversation-list.machine.ts'

const record = (key: string, id?: string): ConversationRecord => ({
  key,
  ...(id === undefined ? {} : {id}),
  model: 'gpt-5-all',
  messages: [{role: 'user', content: key, state: 'finished'}],
  updatedAt: 1,
})

test('a conversation that was named as the page went keeps its name, and is listed once', () => {
  const whole = [record('left'), record('named', 'server-1'), record('unnamed')]
  const recent = [{...record('left', 'server-2'), messages: []}, record('elsewhere', 'server-3')]
  expect(joinStored(whole, recent)).toEqual([
    record('left', 'server-2'),
    record('named', 'server-1'),
    record('unnamed'),
    record('elsewhere', 'server-3'),
  ])
})

test('a conversation that is stored under the page’s key and under the server’s is listed once', () => {
  expect(joinStored([record('page', 'server-1'), record('server-1', 'server-1')], [])).toEqual([
    record('page', 'server-1'),
  ])
})

test('of two tabs that stored a conversation the key of the page where it began stays, with what waits in either', () => {
  const waiting = (key: string) => ({question: key, references: [], key})
  const began = {...record('z-page', 'server-1'), followUps: [waiting('two')]}
  const listed = {...record('server-1', 'server-1'), title: 'Kites', revision: '4', updatedAt: 2}
  const expected = {...began, title: 'Kites', revision: undefined, updatedAt: 2}
  expect(joinStored([listed, began], [])).toEqual([{...expected, messages: listed.messages}])
  expect(joinStored([began, {...listed, followUps: [waiting('two'), waiting('three')]}], [])).toEqual([
    {...expected, messages: listed.messages, followUps: [waiting('two'), waiting('three')]},
  ])
})

test('a question that was removed here is not in the copy of a tab that is gone', async () => {
  const waiting = (key: string) => ({question: key, references: [], key})
  const own = {...record('page', 'c-1'), followUps: [waiting('one')]}
  const {deps} = createWorld({
    bulkItems: new Map([['user/u-1/conversation/c-1', {...record('c-1', 'c-1'), followUps: [waiting('two')]}]]),
  })
  const parts = {items: [own], removed: [], removing: [], undoable: [], unread: []}
  const changes = new BehaviorSubject({context: {...parts, items: [] as ConversationRecord[]}, matches: () => false})
  const list = {
    getSnapshot: () => changes.value,
    subscribe: (next: (value: typeof changes.value) => void) => changes.subscribe(next),
  }
  // as: the storage reads these of a list
  persistConversations(deps, createChatSlice(deps), 'u-1', list as unknown as ConversationListActor)
  changes.next({context: parts, matches: () => false})
  expect(await deps.bulk.conversations('u-1')).toEqual([own])
})

test('a version that no server has is kept where the browser gives no database', async () => {
  const unsentVersions: ConversationRecord['unsentVersions'] = [
    [
      {role: 'user', content: 'better', unsent: true, versions: ['q-1']},
      {role: 'assistant', content: '', id: 'key-1', state: 'failed', outcome: 'refused', unsent: true},
    ],
  ]
  const own = {...record('c-1', 'c-1'), unsentVersions}
  const conversations = fromRecord(own)
  const {deps} = createWorld({stored: {user: {id: 'u-1'}, owner: 'u-1', chat: {conversations}}})
  expect((await readStoredSession(deps, 'u-1')).conversations).toEqual([own])
})

const luma = {
  id: 'luma',
  name: 'Luma',
  service: 'luma',
  serviceId: 's-luma',
  group: 'video',
  order: 1,
  inputs: [],
} as const
const tools = (tasks: unknown) =>
  createWorld({
    stored: {user: {id: 'u-1'}, luma: {tasks}},
    media: {
      tools: [luma],
      loadTools: async () => ({identities: [luma], loadTool: async () => undefined}),
      openMedia: () => Promise.reject(new Error('Nothing is opened here')),
      openPlayer: () => Promise.reject(new Error('Nothing is opened here')),
    },
  })
const task = (response: Record<string, unknown>) => ({id: 'a', created_at: 1, response})

test.each([
  ['what its tool read as running, whatever its answer claims', {success: true, progress: 40}, ['a'], ['luma']],
  ['nothing that its tool read as over, whatever its answer lacks', {state: 'failed'}, [], []],
  ['what nobody said anything of', {success: true}, undefined, ['luma']],
])('a tool is taken up for %s', async (_what, response, running, taken) => {
  const {deps} = tools({items: [task(response)], total: 1, ...(running && {running})})
  const session = await readStoredSession(deps, 'u-1')
  expect(session.tools).toEqual(taken)
})

test('a tool without tasks, and one of another user, is not taken up', async () => {
  expect((await readStoredSession(tools({items: [], total: 0}).deps, 'u-1')).tools).toEqual([])
  const {deps} = tools({items: [task({})], total: 1, running: ['a']})
  expect((await readStoredSession(deps, 'u-2')).tools).toEqual([])
})

/** An expired session of `u-1` is in the store, and a user comes back from the login page. */
const returning = (user: {id: string; nickname: string}) => {
  const conversation = {id: 'c-1', model: 'gpt-5-all', messages: [{role: 'user', content: 'mine'}], updated_at: 1}
  const backend = createBackend()
  backend.server.user = user
  backend.server.conversations = []
  return createWorld({
    backend,
    stored: {user: {id: 'u-1'}, chat: {conversations: [conversation], model: 'gpt-5-all'}, kling: {mode: 'pro'}},
    begun: true,
    loginReturn: {code: 'foo', state},
  })
}

test.each([
  ['another user signs in: what was left behind is neither shown nor kept', {id: 'u-2', nickname: 'Bar'}, [], false],
  ['the same user signs in: what is kept is shown', {id: 'u-1', nickname: 'Foo'}, ['c-1'], true],
])('%s', async (_what, user, conversations, isKept) => {
  const world = returning(user)
  const {actors} = world.root
  world.root.start()
  // before the server says who it is, what is stored has been written without a user
  await waitFor(world.root.actor, () => actors.auth()?.getSnapshot().context.token !== undefined)
  world.deps.state.flush()
  await waitFor(world.root.actor, () => actors.session() !== undefined)
  const session = actors.session()
  if (session === undefined) throw new Error('Nobody is signed in')
  const {context} = await waitFor(session, (snapshot) => snapshot.hasTag('active'))
  const kept = world.stored()
  world.root.stop()
  expect(context.stored.conversations.map(({id}) => id)).toEqual(conversations)
  expect([kept.owner, kept.kling !== undefined, JSON.stringify(kept).includes('mine')]).toEqual([
    user.id,
    isKept,
    isKept,
  ])
})
