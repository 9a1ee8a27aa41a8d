import {createSearchIndex} from '#domain/search-index.ts'
import type {SearchCall, SearchReply} from './search-calls.ts'

const index = createSearchIndex()

const perform = (call: SearchCall) => {
  if (call.type === 'find') return index.find(call.query, call.most)
  index.remove(call.gone)
  index.put(call.entries)
  return []
}

self.addEventListener('message', ({data: {id, call}}: MessageEvent<{id: number; call: SearchCall}>) => {
  const reply: SearchReply = {id, hits: perform(call)}
  self.postMessage(reply)
})
