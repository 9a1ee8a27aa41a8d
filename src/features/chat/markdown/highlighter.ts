import type {CodePiece} from './highlight.ts'
import type {HighlightRequest, HighlightResponse, HighlightWorker} from './highlight-worker.ts'
import {unpackPieces} from './packed-pieces.ts'

/** Colours code in a worker, so that hostile code cannot block the page (security R06). */
export type Highlighter = {
  /** Cached pieces of an earlier call. */
  stored: (code: string, language: string) => CodePiece[] | undefined
  /** Never rejects; `undefined`: the code stays plain. */
  highlight: (code: string, language: string) => Promise<CodePiece[] | undefined>
  /** The same for code that grows, which is not stored: its next request has more lines. */
  preview: (code: string, language: string) => Promise<CodePiece[] | undefined>
  /** Ends for good, with its worker: blocks that wait for it stay plain, and so do those that come later. */
  end: () => void
}

/** Milliseconds after which the worker is terminated; its block stays plain. */
const deadline = 5_000
/** Size of the cache in characters of code, so that a block scrolled back into view has its colours at once. */
const mostStoredCharacters = 500_000

type Job = HighlightRequest & {end: (pieces: CodePiece[] | undefined) => void}

const keyOf = (code: string, language: string) => `${language}\n${code}`

/** A highlighter whose worker starts with the first block and colours one block at a time. */
export function createHighlighter(startWorker: () => HighlightWorker): Highlighter {
  const results = new Map<string, CodePiece[] | undefined>()
  const running = new Map<string, Promise<CodePiece[] | undefined>>()
  const queue: Job[] = []
  let worker: HighlightWorker | undefined
  let storedCharacters = 0
  let lastId = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOver = false

  const store = (key: string, pieces: CodePiece[] | undefined) => {
    results.set(key, pieces)
    storedCharacters += key.length
    for (const oldest of results.keys()) {
      if (storedCharacters <= mostStoredCharacters) break
      results.delete(oldest)
      storedCharacters -= oldest.length
    }
  }

  const endWorker = () => {
    worker?.terminate()
    worker = undefined
  }

  const runNext = () => {
    const job = queue[0]
    if (job === undefined) return
    const settle = (pieces: CodePiece[] | undefined) => {
      // ended meanwhile, with its session
      if (queue[0] !== job) return
      clearTimeout(timer)
      queue.shift()
      job.end(pieces)
      runNext()
    }
    const fail = () => {
      endWorker()
      settle(undefined)
    }
    timer = setTimeout(fail, deadline)
    try {
      worker ??= startWorker()
    } catch {
      // a browser without module workers
      return fail()
    }
    worker.onmessage = ({data}: MessageEvent<HighlightResponse>) => {
      if (data.id === job.id) settle(data.pieces && unpackPieces(job.code, data.pieces))
    }
    worker.onerror = fail
    const {id, code, language} = job
    worker.postMessage({id, code, language})
  }

  const preview = (code: string, language: string) =>
    new Promise<CodePiece[] | undefined>((end) => {
      if (isOver) return end(undefined)
      lastId += 1
      queue.push({id: lastId, code, language, end})
      if (queue.length === 1) runNext()
    })

  const begin = async (key: string, code: string, language: string) => {
    const pieces = await preview(code, language)
    running.delete(key)
    if (!isOver) store(key, pieces)
    return pieces
  }

  return {
    stored: (code, language) => results.get(keyOf(code, language)),
    highlight(code, language) {
      const key = keyOf(code, language)
      if (results.has(key)) return Promise.resolve(results.get(key))
      const pending = running.get(key) ?? begin(key, code, language)
      running.set(key, pending)
      return pending
    },
    preview,
    end() {
      isOver = true
      clearTimeout(timer)
      endWorker()
      results.clear()
      for (const job of queue.splice(0)) job.end(undefined)
    },
  }
}

const highlighters = new WeakMap<object, Highlighter>()

/** The part of an actor that is used here. */
type Session = {
  subscribe: (observer: {complete: () => void; error: () => void}) => unknown
  getSnapshot: () => {status: string}
}

/**
 * The one highlighter of a session: what it coloured once is coloured for every view. It is over with the session
 * (security R16): a view that is there a moment longer starts no worker. A page without sessions has that of its worker.
 */
export function highlighterOf(startWorker: () => HighlightWorker, session?: Session): Highlighter {
  const owner = session ?? startWorker
  const present = highlighters.get(owner)
  if (present !== undefined) return present
  const highlighter = createHighlighter(startWorker)
  highlighters.set(owner, highlighter)
  session?.subscribe({complete: highlighter.end, error: highlighter.end})
  // an actor that was stopped before tells nobody
  if (session !== undefined && session.getSnapshot().status !== 'active') highlighter.end()
  return highlighter
}
