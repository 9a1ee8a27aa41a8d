import {expect, test} from 'vitest'
import {createListChangesPort} from '#app/chat/list-changes.ts'
import type {TabFact} from '#browser/tabs.ts'
import {changingMachine} from '#machines/conversation-changes/changing.machine.ts'
import {conversationChangesMachine} from '#machines/conversation-changes/conversation-changes.machine.ts'
import {eventually} from './eventually.ts'
import {createBackend} from './machines/root-world.ts'
import {ready, until} from './machines/start-root.ts'

const charts = {changes: conversationChangesMachine, changing: changingMachine}

test('a refused archiving leaves one notice, which no longer offers to take it back', async () => {
  const backend = createBackend()
  backend.server.conversations = ['a', 'b'].map((id) => ({id, model: 'm', messages: [], updated_at: 1}))
  const {root} = await ready({backend})
  const list = root.actors.conversations() ?? expect.fail('There is no list')
  await until(list, (snapshot) => snapshot.matches('success'))
  list.send({type: 'service.changed', capabilities: ['marks', 'labels']})
  const open = createListChangesPort({
    chat: {
      changeConversations: () => Promise.reject(new Error('foo')),
      retrieve: () => Promise.reject(new Error('foo')),
    },
    tabs: {tell: () => undefined},
  })
  const changes = open(list, charts) ?? expect.fail('It did not start')
  const archived = ['a', 'b'].map((key) => ({key, archived: true}))
  changes.send({type: 'conversations.mark', changes: archived, textId: 'chat.archiveDone'})
  const notices = () => root.actors.notices()?.getSnapshot().context.notices
  expect(notices()).toEqual([
    {
      kind: 'info',
      id: 'marks:a/archived marks:b/archived',
      textId: 'chat.archiveDone',
      values: {count: 2},
      undo: {
        to: 'conversationChanges',
        event: {
          type: 'conversations.mark',
          changes: [
            {key: 'a', archived: false},
            {key: 'b', archived: false},
          ],
        },
      },
    },
  ])
  await eventually(() => expect(notices()).toMatchObject([{textId: 'chat.markFailed'}]))
  expect(notices()?.[0]).not.toHaveProperty('undo')
  const again = {to: 'conversationChanges', event: {type: 'conversations.mark', changes: archived}}
  expect(notices()?.[0]?.again).toEqual(again)
  // by hand
  changes.send({type: 'conversations.mark', changes: archived})
  expect(notices()).toEqual([])
  root.actor.stop()
})

test('what changes titles and marks is one part of the session: the server and the other tabs hear of it, and a notice takes it back', async () => {
  const backend = createBackend()
  backend.server.conversations = [{id: 'a', model: 'm', messages: [], updated_at: 1}]
  const {root} = await ready({backend})
  const list = root.actors.conversations() ?? expect.fail('There is no list')
  await until(list, (snapshot) => snapshot.matches('success'))
  list.send({type: 'service.changed', capabilities: ['marks', 'labels']})
  const calls: unknown[] = []
  const reports: TabFact[] = []
  const open = createListChangesPort({
    chat: {
      changeConversations: async (changes, _signal, previous) => void calls.push([changes, previous]),
      retrieve: () => Promise.reject(new Error('foo')),
    },
    tabs: {tell: (fact) => reports.push(fact)},
  })
  const pin = {type: 'conversations.mark', changes: [{key: 'a', pinned: true}], textId: 'chat.archiveDone'} as const
  const changes = open(list, charts) ?? expect.fail('It did not start')
  changes.send(pin)
  expect(open(list, charts)).toBe(changes)
  const unpinned = [{key: 'a', pinned: false}]
  await eventually(() => expect(calls).toEqual([[pin.changes, unpinned]]))
  const report = {type: 'conversations.changed', changes: pin.changes}
  await eventually(() => expect(reports).toEqual([report, report]))
  expect(list.getSnapshot().context.items).toEqual([
    {key: 'a', pinned: true, id: 'a', model: 'm', messages: [], updatedAt: 1},
  ])
  const notice = root.actors.notices()?.getSnapshot().context.notices[0] ?? expect.fail('Nothing can be taken back')
  root.actors.notices()?.send({type: 'notice.act', id: notice.id})
  expect(list.getSnapshot().context.items).toEqual([
    {key: 'a', pinned: false, id: 'a', model: 'm', messages: [], updatedAt: 1},
  ])
  root.actor.stop()
  expect([changes.getSnapshot().status, open(list, charts)]).not.toContain('active')
})
