import {highlight} from './highlight.ts'
import type {HighlightRequest, HighlightResponse} from './highlight-worker.ts'

self.addEventListener('message', ({data: {id, code, language}}: MessageEvent<HighlightRequest>) => {
  const response: HighlightResponse = {id, pieces: highlight(code, language)}
  self.postMessage(response)
})
