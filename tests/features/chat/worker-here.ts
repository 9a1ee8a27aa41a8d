import {highlight} from '#features/chat/markdown/highlight.ts'
import type {HighlightRequest, HighlightWorker} from '#features/chat/markdown/highlight-worker.ts'
import {packPieces} from '#features/chat/markdown/packed-pieces.ts'

/** The worker of the page, in this thread. */
export class WorkerHere implements HighlightWorker {
  onmessage: HighlightWorker['onmessage'] = null
  onerror: HighlightWorker['onerror'] = null
  postMessage({id, code, language}: HighlightRequest) {
    const pieces = highlight(code, language)
    const data = {id, pieces: pieces && packPieces(pieces)}
    // as: handlers of a worker are typed with the worker as `this`
    this.onmessage?.call(this as unknown as Worker, new MessageEvent('message', {data}))
  }
  terminate() {
    this.onmessage = null
  }
}
