import {assign, emit, setup, stateIn, type ActorRefFrom} from 'xstate'
import type {LeadershipFact} from '#domain/leadership.ts'
import {streamPort} from '#machines/lib/ports.ts'
import type {ClaimDecided, ClaimFailed, FollowUpClaimEvent, FollowUpClaimInput} from './follow-up-claim.types.ts'

type Context = FollowUpClaimInput & {
  /** How many editors of its text are open in this tab. */
  editors: number
}

const over = '#followUpClaim.over'
const decide = (isOurs: boolean) => ({type: 'decide', params: {isOurs}}) as const

/**
 * Whether this tab may send one question that waits (decision 0167). The tabs of a browser stand in a queue for its
 * key, and the first one may: `position` is that of this tab. `use` is what the tab stands there for: its user edits
 * the text, or it sends.
 *
 * After an edit the tab stays in the queue for a second, in which it claims what it edited before another tab does.
 * What it has claimed it holds until all tabs have certainly heard that the question was sent; where the question waits
 * again instead, for a second. Owned by `session`; ends when the tab has no use for the key.
 */
export const followUpClaimMachine = setup({
  types: {
    input: {} as FollowUpClaimInput,
    context: {} as Context,
    events: {} as FollowUpClaimEvent,
    emitted: {} as ClaimDecided | ClaimFailed,
  },
  actors: {
    /** Stands in the queue of the tabs for this key, and says when this tab is first in it. */
    standInQueue: streamPort<LeadershipFact, {key: string}>('standInQueue'),
  },
  delays: {claimLife: 60_000, editRest: 1_000, claimDeadline: 2_000},
  guards: {
    isFirst: stateIn({working: {position: 'first'}}),
    isBehind: stateIn({working: {position: 'behind'}}),
    isEdited: ({context}) => context.editors > 0,
    isLastEditor: ({context}) => context.editors === 1,
  },
  actions: {
    addEditor: assign(({context}) => ({editors: context.editors + 1})),
    removeEditor: assign(({context}) => ({editors: context.editors - 1})),
    decide: emit((_, {isOurs}: {isOurs: boolean}) => ({type: 'claim.decided', isOurs}) as const),
    reportFailure: emit((_, {error}: {error: unknown}) => ({type: 'claim.failed', error}) as const),
  },
}).createMachine({
  id: 'followUpClaim',
  context: ({input}) => ({...input, editors: 0}),
  initial: 'working',
  states: {
    working: {
      type: 'parallel',
      invoke: {
        id: 'standInQueue',
        src: 'standInQueue',
        input: ({context: {key}}) => ({key}),
        onError: {target: 'over', actions: [{type: 'reportFailure', params: ({event}) => event}]},
      },
      states: {
        position: {
          initial: 'asking',
          on: {'leader.won': {target: '.first'}, 'leader.lost': {target: '.behind'}},
          states: {asking: {}, first: {}, behind: {}},
        },
        use: {
          initial: 'free',
          on: {'edit.begin': {actions: ['addEditor']}, 'edit.end': {guard: 'isEdited', actions: ['removeEditor']}},
          states: {
            free: {
              after: {editRest: {target: over}},
              on: {
                'edit.begin': {target: 'edited', actions: ['addEditor']},
                'claim.request': {target: 'claiming'},
              },
            },
            edited: {
              on: {
                'edit.end': [
                  {guard: 'isLastEditor', target: 'free', actions: ['removeEditor']},
                  {actions: ['removeEditor']},
                ],
                'claim.request': {target: 'claiming'},
              },
            },
            claiming: {
              always: [
                {guard: 'isFirst', target: 'claimed', actions: [decide(true)]},
                {guard: 'isBehind', target: 'refused'},
              ],
              on: {'claim.giveUp': {target: 'refused'}},
              after: {claimDeadline: {target: 'refused'}},
            },
            refused: {
              entry: [decide(false)],
              always: [{guard: 'isEdited', target: 'edited'}, {target: over}],
            },
            claimed: {
              // the other tabs hear of this one as late: its minute begins anew
              on: {
                'claim.request': {target: 'claimed', reenter: true, actions: [decide(true)]},
                'claim.giveUp': [{guard: 'isEdited', target: 'edited'}, {target: 'free'}],
              },
              after: {claimLife: [{guard: 'isEdited', target: 'edited'}, {target: over}]},
            },
          },
        },
      },
    },
    over: {type: 'final'},
  },
})

export type FollowUpClaimActor = ActorRefFrom<typeof followUpClaimMachine>
