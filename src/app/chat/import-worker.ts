import {ImportFileError} from '#browser/import-file-error.ts'
import importWorker from '#features/chat/import/import.worker.ts?worker&url'
import type {ImportCall, ImportCallAnswer, ImportReply} from '#features/chat/import/import-calls.ts'
import {createWorkerCalls} from './worker-calls.ts'

/** The worker that holds an opened file. It ends with the import, and with what it keeps in memory. */
export function createImportWorker(scriptUrl: (url: string) => string) {
  const start = () => new Worker(scriptUrl(importWorker), {type: 'module'})
  const {end, call} = createWorkerCalls<ImportCall, ImportReply>('import', start)
  return {
    end,
    call: <Call extends ImportCall>(request: Call, onShare: (share: number) => void = () => undefined) =>
      call<ImportCallAnswer<Call['type']>>(request, (reply, {resolve, reject}) => {
        if ('share' in reply) return onShare(reply.share)
        // as: the worker answers a call with what belongs to it
        if ('answer' in reply) return resolve(reply.answer as ImportCallAnswer<Call['type']>)
        reject(reply.fault === undefined ? new Error(reply.message) : new ImportFileError(reply.fault))
      }),
  }
}
export type ImportWorker = ReturnType<typeof createImportWorker>
