import highlightWorker from '#features/chat/markdown/highlight.worker.ts?worker&url'
import {createHighlighter} from '#features/chat/markdown/highlighter.ts'

/** `scriptUrl` makes the address of a script of this build acceptable to `new Worker` (Trusted Types). */
export const startHighlighter = (scriptUrl: (url: string) => string) =>
  createHighlighter(() => new Worker(scriptUrl(highlightWorker), {type: 'module'}))
