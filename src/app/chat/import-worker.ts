import {ImportFileError} from '#browser/import-file-error.ts'
import importWorker from '#features/chat/import/import.worker.ts?worker&url'
import type {ImportCall, ImportCallAnswer, ImportReply} from '#features/chat/import/import-calls.ts'

type Waiting = {
  onShare: (share: number) => void
  // any answer of the worker; `call` knows which one it asked for
  resolve: (answer: unknown) => void
  reject: (error: Error) => void
}

/** The worker that holds an opened file. It ends with the import, and with what it keeps in memory. */
export function createImportWorker(scriptUrl: (url: string) => string) {
  const waiting = new Map<number, Waiting>()
  let worker: Worker | undefined
  let lastId = 0
  const end = (reason: string) => {
    worker?.terminate()
    worker = undefined
    for (const {reject} of waiting.values()) reject(new Error(reason))
    waiting.clear()
  }
  const open = () => {
    const opened = new Worker(scriptUrl(importWorker), {type: 'module'})
    opened.onmessage = ({data}: MessageEvent<ImportReply>) => {
      const caller = waiting.get(data.id)
      if ('share' in data) return caller?.onShare(data.share)
      waiting.delete(data.id)
      if ('answer' in data) return caller?.resolve(data.answer)
      caller?.reject(data.fault === undefined ? new Error(data.message) : new ImportFileError(data.fault))
    }
    opened.onerror = ({message}) => end(message || 'The worker of the import broke')
    return opened
  }
  return {
    end,
    call: <Call extends ImportCall>(call: Call, onShare: (share: number) => void = () => undefined) =>
      new Promise<ImportCallAnswer<Call['type']>>((resolve, reject) => {
        worker ??= open()
        lastId += 1
        // as: the worker answers a call with what belongs to it
        waiting.set(lastId, {onShare, resolve: (answer) => resolve(answer as ImportCallAnswer<Call['type']>), reject})
        worker.postMessage({id: lastId, call})
      }),
  }
}
export type ImportWorker = ReturnType<typeof createImportWorker>
