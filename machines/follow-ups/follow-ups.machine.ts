import {and, assign, enqueueActions, not, or, setup, stateIn, type ActorRefFrom, type SnapshotFrom} from 'xstate'
import type {Ask} from '#domain/conversation.ts'
import type {LeadershipFact} from '#domain/leadership.ts'
import {promisePort, streamPort} from '#machines/lib/ports.ts'
import type {Claim, FollowUpsContext, FollowUpsEvent, FollowUpsInput} from './follow-ups.types.ts'

type Key = {key: string}
type One = {ask: Ask}
type Edited = {question: string; references?: string[]}

const without = (items: readonly Ask[], key: string) => items.filter((item) => item.key !== key)
const placed = (items: readonly Ask[], ask: Ask, at: number) => without(items, ask.key).toSpliced(at, 0, ask)
/** While one is edited no follow-up is sent. */
const isEditing = stateIn({editing: 'one'})
/** The questions wait for a turn of this tab, or for its user. */
const ownsTurn = and(['hasItems', or([stateIn({turn: 'busy'}), stateIn({turn: 'held'})])])
const canSend = and(['hasItems', not(isEditing)])
const added = {actions: [{type: 'add', params: ({event}: {event: One & {at?: number}}) => event}, 'report']} as const
const adopting = {actions: [{type: 'adopt', params: ({event}: {event: {items: Ask[]}}) => event}, 'report']} as const
/** The other tab's turn failed or was stopped there. */
const heldElsewhere = {
  guard: {type: 'isHeld', params: ({event}: {event: {isHeld?: boolean | undefined}}) => event},
  target: '#followUps.turn.held.elsewhere',
  ...adopting,
} as const
const turnHolder = {
  id: 'turnHolder',
  src: 'turnHolder',
  input: ({context: {items}}: {context: FollowUpsContext}) => ({key: items[0]?.key ?? ''}),
  // the browser does not say it: the time decides
  onError: {},
} as const
const saving = [{type: 'save', params: ({event}: {event: Key & Edited}) => event}, 'report'] as const
const saved = {guard: {type: 'isText', params: ({event}: {event: Edited}) => event}, actions: saving} as const

/**
 * The questions that wait for their turn in one conversation, in order. When a turn has ended well, the first one is
 * handed to the conversation, once: only one tab of the browser can claim it, and the server recognises its key. After
 * a turn that failed or was stopped they are `held` until the user sends on, or the conversation is answered again. No
 * tab sends a question that is being edited. The tab that has the turn before them shows that to the others (`holding`).
 *
 * Owned by `conversation`, which stores them with its record and says when a turn begins and ends.
 */
export const followUpsMachine = setup({
  types: {input: {} as FollowUpsInput, context: {} as FollowUpsContext, events: {} as FollowUpsEvent},
  actors: {
    claimFollowUp: promisePort<Claim, Key>('claimFollowUp'),
    /** Keeps the other tabs from sending it, as far as the browser lets it; says nothing. */
    holdFollowUp: streamPort<LeadershipFact, Key>('holdFollowUp'),
    /** Shows the other tabs that this one has the turn before it. */
    holdTurn: streamPort<LeadershipFact, Key>('holdTurn'),
    /** Says whether a tab has the turn before it, as far as the browser knows. */
    turnHolder: streamPort<LeadershipFact, Key>('turnHolder'),
  },
  delays: {claimDeadline: 2_000, elsewhereDelay: 5_000, toldDelay: 600_000, returnDelay: 3_000},
  guards: {
    hasItems: ({context: {items}}) => items.length > 0,
    isFirstHeld: ({context: {items, holding}}) => items[0]?.key === holding,
    /** The edited question was sent or removed meanwhile. */
    isEditedGone: ({context: {items, edited}}) => items.every(({key}) => key !== edited),
    isEdited: ({context: {edited}}, {key, question}: Key & {question?: string}) =>
      key === edited && question?.trim() !== '',
    isKnown: ({context: {items}}, {key}: Key) => items.some((item) => item.key === key),
    isText: (_, {question}: {question: string}) => question.trim() !== '',
    isAnswered: (_, {isAnswered}: {isAnswered: boolean}) => isAnswered,
    isHeld: (_, {isHeld}: {isHeld?: boolean | undefined}) => isHeld === true,
    isElsewhere: (_, {output}: {output: Claim}) => !output.isOurs,
    /** The claimed question is still the first, and unchanged. */
    isNext: ({context: {items}}, {output}: {output: Claim}) => items[0]?.key === output.key,
  },
  actions: {
    add: assign(({context: {items}}, {ask, at}: One & {at?: number}) => ({
      items: placed(items, ask, at ?? items.length),
    })),
    holdFirst: assign(({context: {items}}) => ({holding: items[0]?.key ?? ''})),
    edit: assign((_, {key}: Key) => ({edited: key})),
    save: assign(({context: {items}}, {key, question, references}: Key & Edited) => ({
      items: items.map((item) =>
        item.key === key ? {...item, question: question.trim(), references: references ?? item.references} : item,
      ),
    })),
    move: assign(({context: {items}}, {key, to}: Key & {to: number}) => {
      const item = items.find((each) => each.key === key)
      return item === undefined ? {} : {items: placed(items, item, Math.max(0, to))}
    }),
    remove: assign(({context: {items}}, {key}: Key) => ({items: without(items, key)})),
    adopt: assign((_, {items}: {items: Ask[]}) => ({items})),
    handFirst: enqueueActions(({enqueue, context: {items, parentRef}}, {at}: {at: number | undefined}) => {
      const [ask, ...rest] = items
      if (ask === undefined) return
      enqueue.assign({items: rest})
      enqueue.sendTo(parentRef, {type: 'followUp.due', ask, at})
    }),
    reportHold: enqueueActions(({enqueue, context: {items, parentRef}}) => {
      if (items.length > 0) enqueue.sendTo(parentRef, {type: 'followUps.noted', isHeld: true})
    }),
    report: enqueueActions(({enqueue, context: {parentRef}}) => {
      enqueue.sendTo(parentRef, {type: 'followUps.noted'})
    }),
  },
}).createMachine({
  id: 'followUps',
  context: ({input}) => ({...input, edited: '', holding: ''}),
  type: 'parallel',
  on: {
    'followUp.add': added,
    'followUp.promise': added,
    'followUp.save': saved,
    'followUp.keep': saved,
    'followUp.move': {actions: [{type: 'move', params: ({event}) => event}, 'report']},
    'followUp.remove': {actions: [{type: 'remove', params: ({event}) => event}, 'report']},
    'followUps.heard': adopting,
  },
  states: {
    turn: {
      initial: 'busy',
      on: {
        'turn.began': {target: '.busy'},
        'turn.ended': [
          {guard: {type: 'isAnswered', params: ({event}) => event}, target: '.free'},
          {target: '.held', actions: ['reportHold']},
        ],
      },
      states: {
        busy: {
          initial: 'running',
          states: {
            running: {
              on: {
                'followUp.promise': {
                  target: 'promised',
                  actions: [{type: 'add', params: ({event: {ask}}) => ({ask, at: 0})}, 'report'],
                },
              },
            },
            promised: {on: {'turn.ended': {target: '#followUps.turn.free'}}},
          },
        },
        free: {
          initial: 'waiting',
          on: {
            // the copy of the server came: it is as free as before
            'turn.ended': {guard: {type: 'isAnswered', params: ({event}) => event}},
            'followUps.heard': heldElsewhere,
          },
          states: {
            waiting: {
              always: {guard: canSend, target: 'claiming'},
              on: {'followUps.heard': [heldElsewhere, {guard: not('hasItems'), target: 'told', ...adopting}]},
            },
            /**
             * It waits for a turn of another tab, which this one may hear of later, and goes out there. Where that tab
             * is gone and does not come back, as one that is loaded again does, it goes out here.
             */
            told: {
              on: {
                'followUp.add': {target: 'waiting', ...added},
                // it hears of an answer
                'turn.ended': {guard: {type: 'isAnswered', params: ({event}) => event}, target: 'waiting'},
              },
              after: {toldDelay: {target: 'waiting'}},
              initial: 'watching',
              states: {
                watching: {invoke: turnHolder, on: {'leader.won': {target: 'left'}}},
                left: {after: {returnDelay: {target: 'confirming'}}},
                confirming: {
                  invoke: turnHolder,
                  on: {'leader.won': {target: '#followUps.turn.free.waiting'}, 'leader.lost': {target: 'watching'}},
                },
              },
            },
            claiming: {
              invoke: {
                id: 'claimFollowUp',
                src: 'claimFollowUp',
                input: ({context: {items}}) => ({key: items[0]?.key ?? ''}),
                onDone: [
                  {guard: {type: 'isElsewhere', params: ({event}) => event}, target: 'elsewhere'},
                  {guard: isEditing, target: 'waiting'},
                  {
                    guard: {type: 'isNext', params: ({event}) => event},
                    target: 'handed',
                    actions: [{type: 'handFirst', params: ({event}) => ({at: event.output.at})}, 'report'],
                  },
                  {target: 'waiting'},
                ],
                // the key of the question lets the server tell a second one
                onError: [
                  {
                    guard: canSend,
                    target: 'handed',
                    actions: [{type: 'handFirst', params: {at: undefined}}, 'report'],
                  },
                  {target: 'waiting'},
                ],
              },
              after: {claimDeadline: {target: 'elsewhere'}},
            },
            /** The conversation has it and says at once that a turn began. */
            handed: {after: {claimDeadline: {target: 'waiting'}}},
            /** Another tab sends it and says so. Where it was closed, the claim is free. */
            elsewhere: {after: {elsewhereDelay: {target: 'waiting'}}},
          },
        },
        held: {
          on: {
            'turn.ended': [
              {guard: {type: 'isAnswered', params: ({event}) => event}, target: 'free', actions: ['report']},
              {},
            ],
            'followUps.heard': heldElsewhere,
            'followUps.sendOn': {target: 'free', actions: ['report']},
            'followUp.sendNow': {
              guard: {type: 'isKnown', params: ({event}) => event},
              target: 'free',
              actions: [{type: 'move', params: ({event: {key}}) => ({key, to: 0})}, 'report'],
            },
          },
          initial: 'here',
          states: {
            here: {},
            /** This tab may not have the failure: a copy without it says nothing of the turn. */
            elsewhere: {
              on: {'turn.ended': [{guard: {type: 'isAnswered', params: ({event}) => event}}, {target: 'here'}]},
            },
          },
        },
      },
    },
    holding: {
      initial: 'none',
      states: {
        none: {always: {guard: ownsTurn, target: 'first', actions: ['holdFirst']}},
        first: {
          always: {guard: not(and([ownsTurn, 'isFirstHeld'])), target: 'none'},
          invoke: {
            id: 'holdTurn',
            src: 'holdTurn',
            input: ({context: {holding}}) => ({key: holding}),
            // the other tabs wait for as long as they do for one that is silent
            onError: {},
          },
        },
      },
    },
    editing: {
      initial: 'none',
      on: {
        'followUp.edit': {
          guard: {type: 'isKnown', params: ({event}) => event},
          target: '.one',
          actions: [{type: 'edit', params: ({event}) => event}],
        },
      },
      states: {
        none: {},
        one: {
          always: {guard: 'isEditedGone', target: 'none'},
          on: {
            'followUp.cancel': {guard: {type: 'isEdited', params: ({event}) => event}, target: 'none'},
            'followUp.save': {
              guard: {type: 'isEdited', params: ({event}) => event},
              target: 'none',
              actions: saving,
            },
          },
          invoke: {
            id: 'holdFollowUp',
            src: 'holdFollowUp',
            input: ({context: {edited}}) => ({key: edited}),
            // another tab may send it now: the edited text goes to the message field
            onError: {},
          },
        },
      },
    },
  },
})

export type FollowUpsActor = ActorRefFrom<typeof followUpsMachine>
export type FollowUpsSnapshot = SnapshotFrom<typeof followUpsMachine>

export const selectItems = ({context}: FollowUpsSnapshot) => context.items
/** One was asked while a stop was on its way, and goes out once the turn has ended. */
export const selectIsPromised = (snapshot: FollowUpsSnapshot) => snapshot.matches({turn: {busy: 'promised'}})
/** Some wait, and go out by themselves. */
export const selectIsGoing = (snapshot: FollowUpsSnapshot) =>
  snapshot.context.items.length > 0 && !snapshot.matches({turn: 'held'})
