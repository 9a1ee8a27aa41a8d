import type {ToolRequest} from '#contract/media/media-tool.ts'
import {isSameData} from '#domain/same-data.ts'
import type {TaskRecord} from '#domain/task-record.ts'
import {fromForm, type ListedRequest, type TaskRequestsContext} from './task-requests.types.ts'

/** A request that has no task yet. */
export const pendingOf = ({requests, keys}: Pick<TaskRequestsContext, 'requests' | 'keys'>, key: string) =>
  Object.values(keys).includes(key) ? undefined : requests.find((request) => request.key === key)

/** Tasks that no request has become: a lost one may claim them. */
export const unclaimed = ({keys}: Pick<TaskRequestsContext, 'keys'>, records: readonly TaskRecord[]) =>
  records.filter(({task}) => keys[task.id] === undefined)

/** The request that the form shows. */
export const formRequest = ({requests}: Pick<TaskRequestsContext, 'requests'>) =>
  requests.find(({from}) => from === fromForm)

export const isRefused = ({submission}: ListedRequest) => {
  const snapshot = submission.getSnapshot()
  return snapshot.hasTag('rejected') || snapshot.hasTag('usedUp')
}

/** An answer that takes long leaves the form free for more of the same; the button of a card makes one task. */
const isFree = ({from, submission}: ListedRequest) => from === fromForm && submission.getSnapshot().hasTag('looking')

/** The request that the same button of the card, or the form, made a moment ago, or that is still on its way. */
export const repeatedRequest = (
  {requests}: Pick<TaskRequestsContext, 'requests'>,
  from: string | undefined,
  body: ToolRequest,
) =>
  from === undefined
    ? undefined
    : requests.find(
        (request) =>
          request.from === from &&
          !isFree(request) &&
          isSameData(request.submission.getSnapshot().context.intent.submission, body),
      )
