import {assign, setup, type ActorRefFrom} from 'xstate'
import type {Ask} from '#domain/conversation.ts'

/** A question that waited, and its position among the others. */
export type RemovedQuestion = {ask: Ask; at: number}

export type RemovedQuestionsEvent =
  | ({type: 'question.remove'} & RemovedQuestion)
  /** The view puts the last one back. */
  | {type: 'question.restore'}
  | {type: 'offer.dismiss'}
  /** Either one holds the offer while it is there. */
  | {type: 'pointer.entered'}
  | {type: 'pointer.left'}
  | {type: 'focus.entered'}
  | {type: 'focus.left'}
  /** The list is no longer on screen, and takes pointer and focus along: the browser reports neither. */
  | {type: 'list.left'}

type Context = {
  /** The last one first, so that each comes back to its position. */
  removed: readonly RemovedQuestion[]
}

/**
 * The offer to take back removed questions of the queue. It leaves by itself as long after the last of them as a notice
 * with an undo does, but not under the pointer or the focus. A part of the session, one for each conversation: it
 * outlives the list of waiting questions on screen, and is over with the offer.
 */
export const removedQuestionsMachine = setup({
  types: {context: {} as Context, events: {} as RemovedQuestionsEvent},
  delays: {undoWindow: 8_000},
  guards: {isLast: ({context: {removed}}) => removed.length <= 1},
  actions: {
    store: assign(({context: {removed}}, {ask, at}: RemovedQuestion) => ({removed: [{ask, at}, ...removed]})),
    dropLast: assign(({context: {removed}}) => ({removed: removed.slice(1)})),
    clear: assign({removed: []}),
  },
}).createMachine({
  id: 'removedQuestions',
  context: {removed: []},
  initial: 'none',
  states: {
    none: {
      on: {'question.remove': {target: 'offered', actions: [{type: 'store', params: ({event}) => event}]}},
    },
    offered: {
      initial: 'leaving',
      on: {
        'question.restore': [{guard: 'isLast', target: 'over'}, {actions: ['dropLast']}],
        'offer.dismiss': {target: 'over'},
      },
      states: {
        leaving: {
          after: {undoWindow: {target: '#removedQuestions.over'}},
          on: {
            'question.remove': {
              target: 'leaving',
              reenter: true,
              actions: [{type: 'store', params: ({event}) => event}],
            },
            'pointer.entered': {target: 'held.byPointer'},
            'focus.entered': {target: 'held.byFocus'},
          },
        },
        held: {
          on: {
            'question.remove': {actions: [{type: 'store', params: ({event}) => event}]},
            'list.left': {target: 'leaving'},
          },
          initial: 'byPointer',
          states: {
            byPointer: {
              on: {'pointer.left': {target: '#removedQuestions.offered.leaving'}, 'focus.entered': {target: 'byBoth'}},
            },
            byFocus: {
              on: {'focus.left': {target: '#removedQuestions.offered.leaving'}, 'pointer.entered': {target: 'byBoth'}},
            },
            byBoth: {on: {'pointer.left': {target: 'byFocus'}, 'focus.left': {target: 'byPointer'}}},
          },
        },
      },
    },
    over: {type: 'final', entry: ['clear']},
  },
})

export type RemovedQuestionsActor = ActorRefFrom<typeof removedQuestionsMachine>
