import {answerDetails} from '#contract/answer-details.ts'
import {createManagementCalls, idPath, type ManagementDeps} from './management-calls.ts'

/** Details of answers; loaded with the first that are looked at. */
export const createAnswerDetailsApi = (deps: ManagementDeps) => {
  const {get} = createManagementCalls(deps)
  return {
    /** Rejects with 404 when the server keeps no answer with this message. */
    get: (message: string, signal?: AbortSignal) => get(idPath('answers', message), answerDetails, signal),
  }
}
