import {highlight} from './highlight.ts'
import type {HighlightRequest, HighlightResponse} from './highlight-worker.ts'
import {packPieces} from './packed-pieces.ts'

self.addEventListener('message', ({data: {id, code, language}}: MessageEvent<HighlightRequest>) => {
  const pieces = highlight(code, language)
  const response: HighlightResponse = {id, pieces: pieces && packPieces(pieces)}
  self.postMessage(response)
})
