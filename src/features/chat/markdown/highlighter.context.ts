import {createContext} from 'react'
import type {CodePiece} from './highlight.ts'

/** Colours code in a worker, so that hostile code cannot block the page (security R06). */
export type Highlighter = {
  /** Cached pieces of an earlier call. */
  stored: (code: string, language: string) => CodePiece[] | undefined
  /** Never rejects; `undefined`: the code stays plain. */
  highlight: (code: string, language: string) => Promise<CodePiece[] | undefined>
}

/** Without a provider code stays plain. */
export const HighlighterContext = createContext<Highlighter | undefined>(undefined)
