import {NEVER} from 'rxjs'
import {expect, test} from 'vitest'
import {createActor, fromEventObservable, fromPromise} from 'xstate'
import {chooseShown} from '#features/chat/choose-shown.ts'
import type {ConversationActor} from '#machines/conversation/conversation.machine.ts'
import {messageChangesMachine} from '#machines/message-changes/message-changes.machine.ts'
import type {MessageChange, MessageChangesEvent} from '#machines/message-changes/message-changes.types.ts'

test('two that wait for a change both hear that the shown path was chosen behind it', async () => {
  const ends: (() => void)[] = []
  const changes = createActor(
    messageChangesMachine.provide({
      actors: {
        followConversation: fromEventObservable<MessageChangesEvent, undefined>(() => NEVER),
        changeConversation: fromPromise<string | undefined, MessageChange | undefined>(
          () => new Promise((resolve) => ends.push(() => resolve(undefined))),
        ),
      },
      actions: {logFailure: () => undefined},
    }),
    {input: {unconfirmed: []}},
  ).start()
  let isVisiting = true
  const messages = [{role: 'assistant', content: 'x', id: 'a-1', state: 'finished'}]
  // as: it is asked for nothing else
  const actor = {getSnapshot: () => ({matches: () => isVisiting, context: {messages}})} as unknown as ConversationActor
  changes.send({type: 'change.request', change: {action: 'edit', message: 'q-1', question: 'foo', references: []}})
  const heard: string[] = []
  chooseShown(changes, actor, (isChosen) => heard.push(`first ${isChosen}`))
  chooseShown(changes, actor, (isChosen) => heard.push(`second ${isChosen}`))
  ends[0]?.()
  await new Promise((resolve) => setTimeout(resolve, 20))
  isVisiting = false
  for (const end of ends) end()
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(heard).toEqual(['first true', 'second true'])
})
