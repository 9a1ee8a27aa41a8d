import {noToken} from '#domain/failure.ts'
import {timeout} from '#machines/lib/timeout.ts'
import {changed} from './submission.facts.ts'
import {submissionSetup} from './submission.setup.ts'
import type {Preparation} from './submission.types.ts'

type PreparationEnd = {event: {output: Preparation}}

const unset = {type: 'storeFailure', params: {error: noToken}} as const
const overdue = {type: 'storeFailure', params: timeout} as const
const store = {type: 'storePreparation', params: ({event}: PreparationEnd) => event} as const
const ofEvent = ({event}: PreparationEnd) => event
/** Nothing goes out here. */
const unsent = {tags: ['sending', 'unsent'], entry: [changed]} as const

type Unable = '#submission.rejected' | '#submission.unprepared'

/**
 * Reads the tool's service from the list once set-up is ready; without a network the request waits here.
 *
 * @param unable target if the service cannot be read
 * @param mayWait whether it waits for the network; only before the first sending
 * @param doubts what has to be checked before it is sent again
 */
const preparation = <Doubt extends object>(unable: Unable, mayWait: boolean, doubts: readonly Doubt[]) => {
  const prepareDeadline = [
    ...(mayWait ? ([{guard: 'isOffline', target: 'offline'}] as const) : []),
    {target: unable, actions: [overdue]},
  ] as const
  return submissionSetup.createStateConfig({
    initial: 'settingUp',
    states: {
      settingUp: {
        ...unsent,
        always: [
          {guard: 'isSetUp', target: 'reading'},
          {guard: 'isMissing', target: unable, actions: [unset]},
        ],
        on: {
          'provision.ready': {target: 'reading'},
          'provision.missing': {target: unable, actions: [unset]},
        },
        after: {prepareDeadline},
      },
      reading: {
        ...unsent,
        invoke: {
          id: 'prepareRequest',
          src: 'prepareRequest',
          input: ({context: {ref, intent}}) => ({ref, intent}),
          onDone: [
            ...doubts,
            {guard: 'isOffline', target: 'offline', actions: [store]},
            {target: '#submission.posting', actions: [store]},
          ],
          onError: {target: unable, actions: [{type: 'storeFailure', params: ({event}) => event}]},
        },
        after: {prepareDeadline},
      },
      // there is no network: the request is sent when it is back
      offline: {
        tags: ['offline'],
        entry: [changed],
        after: {offlineProbe: {guard: 'repeats', target: '#submission.posting'}},
        on: {
          'connection.restored': {target: 'settingUp', actions: ['forgiveTries']},
          // the browser may be wrong: the user asks, so it is tried
          'submission.retry': [
            {guard: 'isSetUp', target: '#submission.posting', actions: ['forgiveTries']},
            {target: 'settingUp', actions: ['forgiveTries']},
          ],
        },
      },
    },
  })
}

/** Nothing of the request went out yet. */
export const preparing = preparation('#submission.rejected', true, [])

/** The server may have it: the page was left, the submission broke, or contact was lost before its answer came. */
export const recovering = preparation('#submission.unprepared', false, [
  {guard: {type: 'isOld', params: ofEvent}, target: '#submission.searching', actions: [store]},
  {guard: {type: 'isUnrepeatable', params: ofEvent}, target: '#submission.looking', actions: [store]},
] as const)
