import {createActor, fromCallback, fromPromise, type AnyEventObject} from 'xstate'
import type {ConversationChange, ConversationRecord} from '#domain/conversation.ts'
import {changingMachine} from '#machines/conversation-changes/changing.machine.ts'
import {findingMachine} from '#machines/conversation-list/finding.machine.ts'
import {conversationChangesMachine} from '#machines/conversation-changes/conversation-changes.machine.ts'
import {start} from './conversation-list-fixture.ts'

/** A list and what changes its titles and marks, whose calls the test can hold or refuse. */
export function startChanges(
  restored: ConversationRecord[] = [],
  find: (key: string) => Promise<ConversationRecord> = () => Promise.reject(new Error('foo')),
  load?: () => Promise<ConversationRecord[]>,
) {
  const started = start(restored, load, find)
  const {list, calls} = started
  const fails = {changes: false}
  /** Changes that wait for an answer, while the test holds them. */
  const held: {resolve: () => void; reject: (error: Error) => void}[] = []
  const holds = {changes: false}
  const facts: AnyEventObject[] = []
  const changeConversations = fromPromise<void, {changes: readonly ConversationChange[]}>(
    async ({input: {changes: sent}}) => {
      for (const {key, title, ...marks} of sent) {
        if (title !== undefined) calls.push(`rename ${key} ${title}`)
        if (Object.keys(marks).length > 0) calls.push(`mark ${key} ${JSON.stringify(marks)}`)
      }
      if (fails.changes) throw new Error('foo')
      if (!holds.changes) return
      await new Promise<void>((resolve, reject) => held.push({resolve, reject}))
    },
  )
  const machine = conversationChangesMachine.provide({
    actors: {
      changing: changingMachine.provide({actors: {changeConversations}}),
      finding: findingMachine.provide({
        actors: {findConversation: fromPromise<ConversationRecord, {key: string}>(({input}) => find(input.key))},
      }),
    },
  })
  const session = createActor(fromCallback(({receive}) => receive((fact) => void facts.push(fact)))).start()
  const changes = createActor(machine, {input: {list, parentRef: session}}).start()
  return {...started, changes, facts, fails, holds, held}
}
