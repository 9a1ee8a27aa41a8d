import {assign, enqueueActions, setup} from 'xstate'
import {
  environmentChanges,
  environmentInvoke,
  type EnvironmentActor,
} from '#machines/environment/environment.machine.ts'
import type {FollowUpsEvent} from '#machines/follow-ups/follow-ups.types.ts'
import type {ParentRef} from '#machines/lib/parent-ref.ts'
import {unfilledAction} from '#machines/lib/ports.ts'

export type FollowUpTextEvent =
  /** The editor came on screen. `isEdited`: the queue says so already. */
  | {type: 'editor.entered'; isEdited: boolean}
  /** It went. `isWaiting`: its question still waits. */
  | {type: 'editor.left'; isWaiting: boolean}
  /** `text`: undefined where it is that of the question. */
  | {type: 'text.type'; text: string | undefined}
  | {type: 'text.save'; question: string}
  | {type: 'text.cancel'}
  | {type: 'page.leaving'}

/** `key`: of the question, in the queue that has it. */
type Input = {key: string; followUps: ParentRef<FollowUpsEvent>; environment: EnvironmentActor}
type Context = Input & {
  /** Meant in the state `there.typed`. */
  text: string
}
type Question = {question: string}

const ofContext = ({context}: {context: Context}) => ({question: context.text})
const cancelled = {target: 'away', actions: ['cancel']} as const

/**
 * The text in the editor of a question that waits. An editor that goes saves it, also with its page: the question would wait
 * for an editor that nobody sees. Where the question went meanwhile, the text is given back. Owned by the editor, ends with it.
 */
export const followUpTextMachine = setup({
  types: {input: {} as Input, context: {} as Context, events: {} as FollowUpTextEvent},
  actors: {environmentChanges},
  guards: {
    isEdited: (_, {isEdited}: {isEdited: boolean}) => isEdited,
    isOther: (_, {text}: {text: string | undefined}) => text !== undefined,
    isWaiting: (_, {isWaiting}: {isWaiting: boolean}) => isWaiting,
  },
  actions: {
    store: assign((_, {text = ''}: {text: string | undefined}) => ({text})),
    edit: enqueueActions(({enqueue, context: {key, followUps}}) => {
      enqueue.sendTo(followUps, {type: 'followUp.edit', key})
    }),
    save: enqueueActions(({enqueue, context: {key, followUps}}, {question}: Question) => {
      enqueue.sendTo(followUps, {type: 'followUp.save', key, question})
    }),
    cancel: enqueueActions(({enqueue, context: {key, followUps}}) => {
      enqueue.sendTo(followUps, {type: 'followUp.cancel', key})
    }),
    /** Port: the message field takes the text. */
    giveBack: (_, _question: Question) => unfilledAction('giveBack'),
  },
}).createMachine({
  id: 'followUpText',
  context: ({input}) => ({...input, text: ''}),
  invoke: environmentInvoke,
  initial: 'away',
  states: {
    away: {
      on: {
        'editor.entered': [
          {guard: {type: 'isEdited', params: ({event}) => event}, target: 'there'},
          // React mounts an editor twice to try it, and the first one has gone
          {target: 'there', actions: ['edit']},
        ],
      },
    },
    there: {
      on: {
        'text.save': {target: 'away', actions: [{type: 'save', params: ({event}) => event}]},
        'text.cancel': cancelled,
        'editor.left': cancelled,
      },
      initial: 'unchanged',
      states: {
        unchanged: {
          on: {
            'text.type': {
              guard: {type: 'isOther', params: ({event}) => event},
              target: 'typed',
              actions: [{type: 'store', params: ({event}) => event}],
            },
          },
        },
        typed: {
          on: {
            'text.type': [
              {
                guard: {type: 'isOther', params: ({event}) => event},
                actions: [{type: 'store', params: ({event}) => event}],
              },
              {target: 'unchanged'},
            ],
            // the editor hears nothing more of a page that goes, and leaves by itself where the page comes back
            'page.leaving': {actions: [{type: 'save', params: ofContext}]},
            'editor.left': [
              // an empty text is not saved: the question stays as it was
              {
                guard: {type: 'isWaiting', params: ({event}) => event},
                target: '#followUpText.away',
                actions: [{type: 'save', params: ofContext}, 'cancel'],
              },
              {target: '#followUpText.away', actions: [{type: 'giveBack', params: ofContext}]},
            ],
          },
        },
      },
    },
  },
})
