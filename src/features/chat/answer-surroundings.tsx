import type {ReactNode} from 'react'
import {useChat, type ChatPorts} from './chat.context.tsx'
import {createHighlighter} from './markdown/highlighter.ts'
import {HighlighterContext, type Highlighter} from './markdown/highlighter.context.ts'
import {MediaPolicyContext} from './markdown/media-origins.ts'

/** One for a page: what was coloured once has its colours at once in the next conversation. */
const highlighters = new WeakMap<ChatPorts['startHighlighter'], Highlighter>()

function highlighterOf(start: ChatPorts['startHighlighter']): Highlighter {
  const known = highlighters.get(start) ?? createHighlighter(start)
  highlighters.set(start, known)
  return known
}

/** What Markdown in a thread needs of the page: a highlighter, and which images load by themselves. */
export function AnswerSurroundings({children}: {children: ReactNode}) {
  const {media, startHighlighter} = useChat()
  return (
    <MediaPolicyContext value={media}>
      <HighlighterContext value={highlighterOf(startHighlighter)}>{children}</HighlighterContext>
    </MediaPolicyContext>
  )
}
