import {exchangeAnswer} from './conversation.rules.ts'
import {conversationSetup} from './conversation.setup.ts'
import {began, turnBegan} from './conversation.turns.ts'
import type {RetrievedConversation} from './conversation.types.ts'

type Done = {event: {output: RetrievedConversation}}

/**
 * Reads the conversation from the server to find an answer that this page has lost or only follows.
 * @param running state while the server still writes the answer and offers no stream of it
 * @param failed state after a failure that says nothing about the answer
 * @param resumes whether the server may be asked to go on after the last delta
 * @param isReopened whether the turn was over: it is under way again where the server has more of the answer
 */
export const retrieving = <const Running extends string, const Failed extends string>({
  running,
  failed,
  resumes = true,
  isReopened = false,
}: {
  running: Running
  failed: Failed
  resumes?: boolean
  isReopened?: boolean
}) => {
  const goesOn = isReopened ? (['dropPlan', turnBegan, began] as const) : []
  const silent = {target: failed, actions: ['dropPlan']} as const
  return conversationSetup.createStateConfig({
    invoke: {
      id: 'retrieveConversation',
      src: 'retrieveConversation',
      input: ({context}) => ({conversation: context.id ?? context.key}),
      onDone: [
        {
          guard: {type: 'foundFinished', params: ({event}) => event},
          target: '#conversation.finished',
          actions: [
            ...(isReopened ? (['dropPlan', turnBegan] as const) : []),
            {type: 'adoptFound', params: ({event}) => event},
            {type: 'settleFinished', params: ({context, event}) => exchangeAnswer(context, event.output) ?? {}},
            {type: 'reportChange', params: {phase: 'settled'}},
          ],
        },
        ...(resumes
          ? [
              {
                guard: {type: 'canStream', params: ({event}: Done) => event},
                target: '#conversation.asking',
                actions: goesOn,
              } as const,
            ]
          : []),
        {
          guard: {type: 'foundRunning', params: ({event}) => event},
          target: running,
          actions: [...goesOn, {type: 'adoptFound', params: ({event: {output}}) => ({output, resumes})}],
        },
        ...(isReopened
          ? [
              // asked for again, and not there whole
              {
                guard: 'hasPlan',
                target: '#conversation.reconciling.lost',
                actions: [{type: 'adoptFound', params: ({event}: Done) => event}],
              } as const,
            ]
          : []),
        {
          guard: {type: 'foundFailed', params: ({event}) => event},
          target: '#conversation.judging',
          actions: [
            {type: 'adoptFound', params: ({event}) => event},
            {type: 'storeFoundEnd', params: ({event}) => event},
          ],
        },
        {target: '#conversation.reconciling.lost'},
      ],
      // an answer that was given up is read once: each response of the server settles it
      onError: [
        {
          guard: {type: isReopened ? 'wasAnswered' : 'isRefusal', params: ({event}) => event},
          target: '#conversation.reconciling.lost',
        },
        silent,
      ],
    },
    after: {callDeadline: silent},
  })
}
