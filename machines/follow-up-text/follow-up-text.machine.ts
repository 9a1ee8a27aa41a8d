import {assign, enqueueActions, setup} from 'xstate'
import type {Ask} from '#domain/conversation.ts'
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
  /** A file of the question, by its address, is taken out. */
  | {type: 'file.remove'; url: string}
  | {type: 'text.save'; question: string}
  | {type: 'text.cancel'}
  | {type: 'page.hidden'}
  | {type: 'page.leaving'}

/** `ask`: the question as it waits in the queue. */
type Input = {ask: Ask; followUps: ParentRef<FollowUpsEvent>; environment: EnvironmentActor}
/** Both are meant in the state `there.changed`. `text`: undefined where it is that of the question. */
type Context = Input & {text: string | undefined; references: string[]}
type Question = {question: string}

const ofContext = ({context: {ask, text = ask.question}}: {context: Context}) => ({question: text})
const ofAsk = ({context: {ask}}: {context: Context}) => ask
const cancelled = {target: '#followUpText.away', actions: ['cancel']} as const
const store = {type: 'store', params: ({event}: {event: {text: string | undefined}}) => event} as const
const takeOut = {type: 'takeOut', params: ({event}: {event: {url: string}}) => event} as const
const keep = {type: 'keep', params: ofContext} as const
const restore = {type: 'restore', params: ofAsk} as const

/**
 * Text and files in the editor of a question that waits. An editor that leaves the page, or whose page closes, saves
 * them: the question would wait for an editor that nobody sees. A hidden page may end without an event, so the question
 * is saved as the editor has it; the editor stays, and Cancel restores the question. If the question was sent
 * meanwhile, the text is given back. Owned by the editor, ends with it.
 */
export const followUpTextMachine = setup({
  types: {input: {} as Input, context: {} as Context, events: {} as FollowUpTextEvent},
  actors: {environmentChanges},
  guards: {
    isEdited: (_, {isEdited}: {isEdited: boolean}) => isEdited,
    isOther: (_, {text}: {text: string | undefined}) => text !== undefined,
    isWaiting: (_, {isWaiting}: {isWaiting: boolean}) => isWaiting,
    isTyped: ({context}) => context.text !== undefined,
    /** The text is that of the question again, and no file was taken out. */
    isAsBefore: ({context: {ask, references}}, {text}: {text: string | undefined}) =>
      text === undefined && references.length === ask.references.length,
  },
  actions: {
    begin: assign(({context: {ask}}) => ({text: undefined, references: ask.references})),
    store: assign((_, {text}: {text: string | undefined}) => ({text})),
    takeOut: assign(({context: {references}}, {url}: {url: string}) => ({
      references: references.filter((other) => other !== url),
    })),
    edit: enqueueActions(({enqueue, context: {ask, followUps}}) => {
      enqueue.sendTo(followUps, {type: 'followUp.edit', key: ask.key})
    }),
    save: enqueueActions(({enqueue, context: {ask, references, followUps}}, {question}: Question) => {
      enqueue.sendTo(followUps, {type: 'followUp.save', key: ask.key, question, references})
    }),
    /** The queue has it while the editor stays. */
    keep: enqueueActions(({enqueue, context: {ask, references, followUps}}, {question}: Question) => {
      enqueue.sendTo(followUps, {type: 'followUp.keep', key: ask.key, question, references})
    }),
    restore: enqueueActions(({enqueue, context: {followUps}}, {key, question, references}: Ask) => {
      enqueue.sendTo(followUps, {type: 'followUp.keep', key, question, references})
    }),
    cancel: enqueueActions(({enqueue, context: {ask, followUps}}) => {
      enqueue.sendTo(followUps, {type: 'followUp.cancel', key: ask.key})
    }),
    /** Port: the message field takes the text. */
    giveBack: (_, _question: Question) => unfilledAction('giveBack'),
  },
}).createMachine({
  id: 'followUpText',
  context: ({input}) => ({...input, text: undefined, references: input.ask.references}),
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
      entry: ['begin'],
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
              target: 'changed',
              actions: [store],
            },
            'file.remove': {target: 'changed', actions: [takeOut]},
          },
        },
        changed: {
          on: {
            'text.type': [
              {guard: {type: 'isAsBefore', params: ({event}) => event}, target: 'unchanged', actions: [store]},
              {actions: [store]},
            ],
            'file.remove': {actions: [takeOut]},
            'page.hidden': {target: '.kept', actions: [keep]},
            // the editor hears nothing more of a page that goes, and leaves by itself where the page comes back
            'page.leaving': {actions: [{type: 'save', params: ofContext}]},
            'editor.left': [
              // an empty text is not saved: the question stays as it was
              {
                guard: {type: 'isWaiting', params: ({event}) => event},
                target: '#followUpText.away',
                actions: [{type: 'save', params: ofContext}, 'cancel'],
              },
              {guard: 'isTyped', target: '#followUpText.away', actions: [{type: 'giveBack', params: ofContext}]},
              cancelled,
            ],
          },
          initial: 'fresh',
          states: {
            fresh: {},
            kept: {
              on: {
                'text.cancel': {target: '#followUpText.away', actions: [restore, 'cancel']},
                'text.type': [
                  {
                    guard: {type: 'isAsBefore', params: ({event}) => event},
                    target: '#followUpText.there.unchanged',
                    actions: [store, restore],
                  },
                  {actions: [store]},
                ],
              },
            },
          },
        },
      },
    },
  },
})
