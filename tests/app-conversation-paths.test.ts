import {afterEach, beforeEach, expect, test, vi} from 'vitest'
import {z} from '#contract/schema.ts'
import {shownMessages} from '#app/chat/conversation-paths.ts'
import {chooseShown} from '#features/chat/choose-shown.ts'
import type {RecordMessage} from '#domain/conversation.ts'
import {lostContact, noToken, type Failure} from '#domain/failure.ts'
import {selectMessages} from '#machines/conversation/conversation.selectors.ts'
import {selectConversation} from '#machines/conversation-list/conversation-list.selectors.ts'
import type {MessageChange} from '#machines/message-changes/message-changes.types.ts'
import {closeTabs, openBrowser, stored} from './tabs-fixture.ts'

/* A thread reads a path without choosing it for everybody (decision 172). */

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  closeTabs()
  vi.useRealTimers()
})
const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds)

const older = [
  {role: 'user' as const, content: 'foo?', id: 'q-1', state: 'finished' as const},
  {role: 'assistant' as const, content: 'older', id: 'a-0', state: 'finished' as const},
]

/** A thread of a server that has an older answer, and what it asks that server. */
async function openThread(capabilities: readonly ('versions' | 'paths')[] = ['versions', 'paths']) {
  const browser = openBrowser()
  const {chat} = browser
  const tab = await browser.openTab(stored)
  const {list} = tab
  list.send({type: 'service.changed', capabilities: [...capabilities]})
  list.send({type: 'conversation.open', key: 'foo'})
  const asked: unknown[] = []
  let path = older
  let failure: Failure | undefined
  let goneMessage = 'gone'
  const {command} = chat
  chat.command = async (schema, body, options) => {
    if (failure !== undefined) throw Object.assign(new Error('foo'), failure)
    if (!('message' in body && 'action' in body && body.action === 'retrieve')) return command(schema, body, options)
    asked.push(body)
    if (body.message === goneMessage)
      throw Object.assign(new Error('foo'), {code: 'not_found', detail: '', status: 404})
    return z.parse(schema, {id: 'foo', messages: path, ...(body.message === 'a-0' && {chosen: false})})
  }
  const actor = selectConversation(list.getSnapshot(), 'foo') ?? expect.fail('The conversation is not open')
  const request = async (change: MessageChange) => {
    tab.changes.send({type: 'change.request', change})
    await pass(1000)
  }
  return {
    ...browser,
    /** The server answers no call any more. */
    lose: (next: Failure) => void (failure = next),
    refuse: (message: string) => void (goneMessage = message),
    leave: async () => {
      actor.send({type: 'path.leave'})
      await pass(1000)
    },
    select: (message: string) => request({action: 'select', message}),
    failed: () => tab.changes.getSnapshot().context.failed !== undefined,
    tab,
    actor,
    asked,
    visit: (message: string) => request({action: 'visit', message}),
    write: (messages: typeof older) => void (path = messages),
    shown: () => selectMessages(actor.getSnapshot()).map(({content}) => content),
    state: () => actor.getSnapshot().value,
    listed: () => tab.record().messages.map(({content}) => content),
  }
}

test('a path is read and shown, and chosen nowhere', async () => {
  const {calls, asked, visit, shown, listed} = await openThread()
  await visit('a-0')
  expect([calls, asked]).toEqual([[], [{action: 'retrieve', id: 'foo', message: 'a-0'}]])
  expect([shown(), listed()]).toEqual([
    ['foo?', 'older'],
    ['foo?', 'bar'],
  ])
})

test('a server without the capability chooses it, as before', async () => {
  const {calls, asked, visit, state} = await openThread(['versions'])
  await visit('a-0')
  expect([calls, asked]).toEqual([[JSON.stringify({action: 'select', message: 'a-0', id: 'foo'})], []])
  expect(state()).not.toBe('visiting')
})

test('what the server has chosen meanwhile is taken over as its copy', async () => {
  const {calls, visit, shown, listed} = await openThread()
  await visit('a-9')
  expect([calls, shown(), listed()]).toEqual([[], ['foo?', 'older'], ['foo?', 'older']])
})

test('a version that is chosen, or a text that is saved, is what the thread goes on with', async () => {
  const chosen = await openThread()
  await chosen.visit('a-0')
  chosen.tab.changes.send({type: 'change.request', change: {action: 'select', message: 'a-1'}})
  await pass(0)
  expect([chosen.calls, chosen.state(), chosen.shown()]).toEqual([
    [JSON.stringify({action: 'select', message: 'a-1', id: 'foo'})],
    expect.not.stringMatching('visiting'),
    chosen.listed(),
  ])
  const edited = await openThread()
  await edited.visit('a-0')
  edited.tab.changes.send({type: 'change.request', change: {action: 'edit', message: 'q-1', question: 'new'}})
  await pass(0)
  // the text is saved in the path that is shown
  expect(edited.calls.map((call): unknown => JSON.parse(call))).toEqual([
    {action: 'select', message: 'a-0', id: 'foo'},
    {action: 'edit', message: 'q-1', question: 'new', id: 'foo'},
  ])
  expect(edited.shown()).toEqual(edited.listed())
})

test('a path that another page changes is read again', async () => {
  const {tab, asked, visit, write, shown} = await openThread()
  await visit('a-0')
  write([...older, {role: 'user', content: 'below', id: 'q-2', state: 'finished'}])
  tab.list.send({
    type: 'conversation.loaded',
    record: {...tab.record(), title: 'Foo', messages: [...tab.record().messages]},
  })
  await pass(0)
  expect(asked).toHaveLength(2)
  expect(shown()).toEqual(['foo?', 'older', 'below'])
})

test('a path whose message is gone is left', async () => {
  const {visit, state, shown} = await openThread()
  await visit('a-0')
  await visit('gone')
  expect(state()).not.toBe('visiting')
  expect(shown()).toEqual(['foo?', 'bar'])
})

test('a message that is deleted, or a link that is made, chooses the path that is shown', async () => {
  const chosenFirst = {action: 'select', message: 'a-0', id: 'foo'}
  const {tab, calls, visit, actor, shown, listed} = await openThread()
  await visit('a-0')
  chooseShown(tab.changes, actor, (isChosen) => {
    if (isChosen) tab.changes.send({type: 'message.remove', message: 'q-1'})
  })
  await pass(1000)
  expect(calls.map((call): unknown => JSON.parse(call))).toEqual([chosenFirst])
  expect(shown()).toEqual(listed())
  expect(tab.record().messages.map(({removing}) => removing)).toContain(true)

  const shared = await openThread()
  await shared.visit('a-0')
  await shared.tab.give(undefined, true)
  expect(shared.calls.map((call): unknown => JSON.parse(call))).toEqual([chosenFirst])
})

test('a path is chosen when the change before it is done', async () => {
  const {tab, calls, visit, actor} = await openThread()
  await visit('a-0')
  tab.changes.send({type: 'change.request', change: {action: 'branch', message: 'q-1', title: 'Foo', key: 'k'}})
  const onSettled = vi.fn()
  chooseShown(tab.changes, actor, onSettled)
  await pass(1000)
  expect(calls.map((call): unknown => JSON.parse(call))).toEqual([
    expect.objectContaining({action: 'branch'}),
    {action: 'select', message: 'a-0', id: 'foo'},
  ])
  expect(onSettled).toHaveBeenCalledExactlyOnceWith(true)
})

test('an export takes the path that is shown, and chooses nothing', async () => {
  const {tab, calls, visit, leave} = await openThread()
  const exported = () => shownMessages(tab.list, tab.record()).map(({content}) => content)
  await visit('a-0')
  expect([exported(), calls]).toEqual([['foo?', 'older'], []])
  await leave()
  expect(exported()).toEqual(['foo?', 'bar'])
})

test('a path that the server did not choose is not shared, and nothing of it is deleted', async () => {
  const {tab, visit, lose, actor} = await openThread()
  await visit('a-0')
  lose(lostContact('offline'))
  const onSettled = vi.fn()
  chooseShown(tab.changes, actor, onSettled)
  await pass(1000)
  expect(onSettled).toHaveBeenCalledExactlyOnceWith(false)
  const copy = expect(tab.give(undefined, true)).rejects.toThrow('The server did not choose what is shown')
  await pass(1000)
  await copy
})

test('what is deleted here and not yet on the server is so on the path too', async () => {
  const {tab, visit, actor} = await openThread()
  tab.changes.send({type: 'message.remove', message: 'q-1'})
  await visit('a-0')
  expect(selectMessages(actor.getSnapshot()).map(({id, removing}) => [id, removing])).toEqual([
    ['q-1', true],
    ['a-0', undefined],
  ])
})

for (const [name, failure] of [
  ['a network', lostContact('offline')],
  ['a credential', noToken],
] as const)
  test(`without ${name} a path that was read is shown, and chosen nowhere`, async () => {
    const {calls, visit, select, lose, leave, shown, listed, state, failed} = await openThread()
    await visit('a-0')
    await leave()
    expect(shown()).toEqual(['foo?', 'bar'])
    lose(failure)
    await visit('a-0')
    expect([state(), shown(), listed()]).toEqual(['visiting', ['foo?', 'older'], ['foo?', 'bar']])
    // and back to the one that is chosen
    await select('a-1')
    expect([state(), shown()]).toEqual([expect.not.stringMatching('visiting'), ['foo?', 'bar']])
    await select('a-0')
    expect([state(), shown(), failed()]).toEqual(['visiting', ['foo?', 'older'], false])
    expect(calls).toEqual([])
  })

test('without a network a path that was not read fails as before', async () => {
  const {visit, select, lose, leave, shown, failed} = await openThread()
  lose(lostContact('offline'))
  await visit('a-0')
  expect([shown(), failed()]).toEqual([['foo?', 'bar'], true])
  await select('a-0')
  expect([shown(), failed()]).toEqual([['foo?', 'bar'], true])
  await leave()
})

test('the path that another version replaced is there without a network', async () => {
  const {tab, select, lose, shown, listed} = await openThread()
  const versions = ['a-0', 'a-1']
  const listedMessages = (messages: RecordMessage[]) =>
    tab.list.send({type: 'conversation.loaded', record: {...tab.record(), messages, updatedAt: 9}})
  listedMessages(stored.messages.map((message) => (message.id === 'a-1' ? {...message, versions} : message)))
  listedMessages(older.map((message) => (message.id === 'a-0' ? {...message, versions} : message)))
  await pass(1000)
  lose(lostContact('offline'))
  await select('a-1')
  expect([shown(), listed()]).toEqual([
    ['foo?', 'bar'],
    ['foo?', 'older'],
  ])
})

test('without a network a question is shown again with the answer that was left there, also one of the chosen path', async () => {
  const {tab, visit, select, lose, leave, shown, state, calls} = await openThread()
  const versions = ['q-0', 'q-1']
  const other: RecordMessage = {role: 'user', content: 'fu?', id: 'q-0', state: 'finished', versions}
  const listedMessages = async (messages: RecordMessage[]) => {
    tab.list.send({type: 'conversation.loaded', record: {...tab.record(), messages, updatedAt: 9}})
    await pass(1000)
  }
  // the older answer is read before the other wording, and the newer one is chosen
  await visit('a-0')
  await leave()
  await listedMessages([other])
  const [question, answer] = stored.messages
  await listedMessages([
    {...question, role: 'user', content: 'foo?', versions},
    ...(answer === undefined ? [] : [answer]),
  ])
  lose(lostContact('offline'))
  await select('a-0')
  expect(shown()).toEqual(['foo?', 'older'])
  await select('q-0')
  expect(shown()).toEqual(['fu?'])
  await select('q-1')
  expect([state(), shown()]).toEqual(['visiting', ['foo?', 'older']])
  await select('a-1')
  expect([state(), shown()]).toEqual([expect.not.stringMatching('visiting'), ['foo?', 'bar']])
  await select('q-0')
  await select('q-1')
  expect([state(), shown()]).toEqual([expect.not.stringMatching('visiting'), ['foo?', 'bar']])
  expect(calls).toEqual([])
})

test('without a network the path that a link led away from is the one that was left', async () => {
  const {tab, visit, select, lose, leave, shown, state} = await openThread()
  const versions = ['q-0', 'q-1']
  const [question, answer] = stored.messages
  const listedMessages = async (messages: RecordMessage[]) => {
    tab.list.send({type: 'conversation.loaded', record: {...tab.record(), messages, updatedAt: 9}})
    await pass(1000)
  }
  await listedMessages([{role: 'user', content: 'fu?', id: 'q-0', state: 'finished', versions}])
  await listedMessages([
    {...question, role: 'user', content: 'foo?', versions},
    ...(answer === undefined ? [] : [answer]),
  ])
  await visit('a-0')
  await leave()
  lose(lostContact('offline'))
  await visit('q-0')
  expect(shown()).toEqual(['fu?'])
  await select('q-1')
  expect([state(), shown()]).toEqual([expect.not.stringMatching('visiting'), ['foo?', 'bar']])
})

test('a path whose message is gone from the server is not kept', async () => {
  const {visit, refuse, keptItems} = await openThread()
  await visit('a-0')
  expect(keptItems.size).toBe(1)
  refuse('a-0')
  await visit('a-0')
  expect(keptItems.size).toBe(0)
})

test('a refusal of the server shows nothing that is kept', async () => {
  const {visit, leave, lose, shown, failed} = await openThread()
  await visit('a-0')
  await leave()
  lose({code: 'forbidden', detail: '', status: 403})
  await visit('a-0')
  expect([shown(), failed()]).toEqual([['foo?', 'bar'], true])
})
