import {enqueueActions, setup} from 'xstate'
import type {LeadershipFact} from '#domain/leadership.ts'
import type {ParentRef} from '#machines/lib/parent-ref.ts'
import {streamPort} from '#machines/lib/ports.ts'

/** `parentRef`: the payment of the order. */
type Input = {orderId: string; parentRef: ParentRef<LeadershipFact>}

/** Competes for the lead, or asks again whether this tab has it. */
export type LeadRequest = {type: 'lead.stand'}

const report = (type: LeadershipFact['type']) => ({type: 'report', params: {type}}) as const

/**
 * Whether this tab leads a paid order back, of all tabs of the browser with that order (docs/decisions/0099). Competes
 * from the first `lead.stand` on; answers each with `leader.won` or `leader.lost`, once it is decided, and reports
 * every change. Owned by `orderPayment` and ends with it, which hands the lead over.
 */
export const orderLeadMachine = setup({
  types: {input: {} as Input, context: {} as Input, events: {} as LeadRequest | LeadershipFact},
  actors: {
    /** Whether this tab has the lead, now and whenever that changes. */
    leadership: streamPort<LeadershipFact, {orderId: string}>('leadership'),
  },
  actions: {
    report: enqueueActions(({enqueue, context: {parentRef}}, fact: LeadershipFact) => {
      enqueue.sendTo(parentRef, fact)
    }),
  },
}).createMachine({
  id: 'orderLead',
  context: ({input}) => input,
  initial: 'absent',
  states: {
    absent: {on: {'lead.stand': {target: 'standing'}}},
    standing: {
      invoke: {
        id: 'leadership',
        src: 'leadership',
        input: ({context: {orderId}}) => ({orderId}),
        // a browser that cannot say which tab leads lets each one lead
        onError: {target: '.leading'},
      },
      on: {'leader.won': {target: '.leading'}, 'leader.lost': {target: '.led'}},
      initial: 'undecided',
      states: {
        undecided: {},
        leading: {
          entry: [report('leader.won')],
          on: {'lead.stand': {actions: [report('leader.won')]}},
        },
        led: {
          description: 'Another tab leads. This one waits in the queue behind it.',
          entry: [report('leader.lost')],
          on: {'lead.stand': {actions: [report('leader.lost')]}},
        },
      },
    },
  },
})
