import {readingRest} from '#browser/streams/reading-rest.ts'
import {createStreamFetch} from '#browser/streams/stream-fetch.ts'
import streamsWorker from '#browser/streams/streams.worker.ts?worker&url'

/** The `fetch` of streams. `scriptUrl` makes the address of a script acceptable to `new Worker` (Trusted Types). */
export const openStreams = (scriptUrl: (url: string) => string) =>
  createStreamFetch(
    () => new Worker(scriptUrl(streamsWorker), {type: 'module'}),
    (input, init) => fetch(input, init),
    readingRest,
  )
export type StreamFetch = ReturnType<typeof openStreams>
