import {ImportFileError} from '#browser/import-file-error.ts'
import {openImportFile, type OpenedImport} from '#browser/import-file.ts'
import type {ImportCall, ImportReply} from './import-calls.ts'

let openFile: OpenedImport | undefined

const reply = (message: ImportReply) => self.postMessage(message)

/** Progress is reported a hundred times at most. */
function createProgress(id: number) {
  let last = -1
  return (share: number) => {
    const percent = Math.floor(share * 100)
    if (percent === last) return
    last = percent
    reply({id, share})
  }
}

async function perform(id: number, call: ImportCall) {
  if (call.type === 'open') {
    openFile = await openImportFile(call.file, createProgress(id))
    return openFile.preview
  }
  if (openFile === undefined) throw new Error('No file is open')
  if (call.type === 'files') return openFile.files(call.index)
  if (call.type === 'file') return openFile.file(call.name)
  return openFile.take(call.index, new Map(call.addresses))
}

self.addEventListener('message', ({data: {id, call}}: MessageEvent<{id: number; call: ImportCall}>) => {
  perform(id, call).then(
    (answer) => reply({id, answer}),
    (error: unknown) =>
      reply({id, fault: error instanceof ImportFileError ? error.fault : undefined, message: String(error)}),
  )
})
