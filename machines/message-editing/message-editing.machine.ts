import {assign, fromEventObservable, setup, type Subscribable} from 'xstate'
import {followedPosition, leftPosition} from './message-editing.rules.ts'
import type {
  EditedPosition,
  MessageEditingContext,
  MessageEditingEvent,
  MessageEditingInput,
  MessagesChanged,
} from './message-editing.types.ts'

const opened = (position: EditedPosition | undefined) => ({edited: position, editor: position?.keys[0]})

const ofEvent = ({event}: {event: MessagesChanged}) => event
const storeSeen = {type: 'storeSeen', params: ofEvent} as const

const editingSetup = (messages: Subscribable<MessagesChanged>) =>
  setup({
    types: {
      input: {} as MessageEditingInput,
      context: {} as MessageEditingContext,
      events: {} as MessageEditingEvent,
    },
    actors: {
      threadMessages: fromEventObservable<MessagesChanged, undefined>(() => messages),
    },
    guards: {
      isShown: ({context}, event: MessagesChanged) => followedPosition(context, event) !== undefined,
      isLeft: ({context}, event: MessagesChanged) => leftPosition(context.seen, event) !== undefined,
      isEdited: ({context}) => context.edited !== undefined,
    },
    actions: {
      follow: assign(({context}, event: MessagesChanged) => ({edited: followedPosition(context, event)})),
      openLeft: assign(({context}, event: MessagesChanged) => opened(leftPosition(context.seen, event))),
      storeEdited: assign((_, {index, keys}: EditedPosition) => opened({index, keys})),
      clearEdited: assign({edited: undefined, editor: undefined}),
      storeSeen: assign((_, {messages}: MessagesChanged) => ({seen: messages.flatMap(({keys}) => keys)})),
    },
  })

/**
 * Which sent message of a thread is edited. The editor follows its message, since another page may replace
 * it: it is `hidden` while a version without it is shown. It is offered again with the words that were left in it when
 * its message comes into the thread. Owned by the thread, ends with it; the words are drafts, which outlive it.
 * @param messages says at once, and whenever they change, which messages there are
 */
export const createMessageEditingMachine = (messages: Subscribable<MessagesChanged>) =>
  editingSetup(messages).createMachine({
    id: 'messageEditing',
    context: ({input}) => ({...input, seen: []}),
    invoke: {
      id: 'threadMessages',
      src: 'threadMessages',
      // subscribing to a ref cannot fail
      onError: {},
    },
    on: {
      'editor.open': {target: '.open.shown', actions: [{type: 'storeEdited', params: ({event}) => event}]},
      'messages.changed': [
        {
          guard: {type: 'isShown', params: ofEvent},
          target: '.open.shown',
          actions: [{type: 'follow', params: ofEvent}, storeSeen],
        },
        {
          guard: {type: 'isLeft', params: ofEvent},
          target: '.open.shown',
          actions: [{type: 'openLeft', params: ofEvent}, storeSeen],
        },
        {guard: 'isEdited', target: '.open.hidden', actions: [storeSeen]},
        {actions: [storeSeen]},
      ],
    },
    initial: 'closed',
    states: {
      closed: {},
      open: {
        on: {'editor.close': {target: 'closed', actions: ['clearEdited']}},
        initial: 'shown',
        states: {shown: {}, hidden: {}},
      },
    },
  })
