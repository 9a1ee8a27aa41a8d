import type {ReactNode} from 'react'

/** A line of the command palette. */
export type CommandEntry = {
  /** The same at every visit: what was used last is remembered by it. */
  id: string
  label: string
  /** More text that finds it: its English name, say. */
  words?: string | undefined
  /** Other words for it: the starts of these find it, after commands whose names are like it. */
  moreWords?: string
  /** These are in Serbian, in Latin letters too. */
  hasLatin?: true
  icon?: ReactNode
  /** Shown at the end of the line. */
  note?: string | undefined
  /** Keys as the platform writes them. */
  keys?: string | undefined
  /** Why it cannot be run now: a search lists it below the others, with this. */
  unavailable?: string | undefined
  run: () => void
}

export type CommandGroup = {id: string; heading: string; entries: readonly CommandEntry[]}
