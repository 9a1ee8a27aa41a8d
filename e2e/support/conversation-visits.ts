import {initialTransition} from 'xstate'
import type {RecordMessage} from '#domain/conversation.ts'
import {conversationMachine, type ConversationSnapshot} from '#machines/conversation/conversation.machine.ts'
import {selectMessages} from '#machines/conversation/conversation.selectors.ts'
import {startEnvironment} from '#tests/machines/environment-fixture.ts'
import {nobody} from '#tests/machines/nobody.ts'
import {sender, where, type Chart} from './chart-walk.ts'

/* The conversation machine of a reader whose link leads to a version that the server has not chosen (decision 172). */

export type Action =
  | 'follow the link'
  | 'show the conversation'
  | 'page to the chosen version'
  | 'ask there'
  | 'choose the newer version'
export type Shown = 'newer: chosen' | 'older: visited' | 'older: chosen'

const send = sender(conversationMachine)
const path = (word: string): RecordMessage[] => [
  {role: 'user', id: `q-${word}`, content: word},
  {role: 'assistant', id: `a-${word}`, content: `said: ${word}`, state: 'finished'},
]
const [older, newer] = [path('one'), path('uno')]
const record = (messages: RecordMessage[]) => ({key: 'k', id: 'c-1', model: 'm', messages, updatedAt: 1})

const isVisiting = (snapshot: ConversationSnapshot) => snapshot.matches('visiting')
const isNewer = (snapshot: ConversationSnapshot) => selectMessages(snapshot)[0]?.id === newer[0]?.id
const chooseNewer = (): ConversationSnapshot =>
  initialTransition(conversationMachine, {
    record: record(newer),
    capabilities: ['resume', 'stop', 'idempotency', 'versions', 'paths'],
    environment: startEnvironment(),
    parentRef: nobody,
  })[0]
const leave = (snapshot: ConversationSnapshot) => send(snapshot, {type: 'path.leave'})

export const visitsChart: Chart<ConversationSnapshot, Action, Shown> = {
  start: chooseNewer,
  effects: {
    'follow the link': where(isNewer, (snapshot) =>
      send(snapshot, {type: 'path.show', message: 'a-one', messages: older}),
    ),
    'show the conversation': where(isVisiting, leave),
    'page to the chosen version': where(isVisiting, leave),
    'ask there': where(isVisiting, (snapshot) =>
      send(
        snapshot,
        {type: 'prompt.submit', question: 'more', references: [], key: 'key', at: 0},
        {type: 'answer.started', conversation: 'c-1', question: 'q-more', message: 'a-more', attempt: 1},
        {type: 'answer.completed'},
      ),
    ),
    'choose the newer version': where(
      (snapshot) => !isVisiting(snapshot) && !isNewer(snapshot),
      // a copy of another version replaces the whole history
      chooseNewer,
    ),
  },
  shownBy: (snapshot) => {
    if (isVisiting(snapshot)) return 'older: visited'
    return isNewer(snapshot) ? 'newer: chosen' : 'older: chosen'
  },
}
