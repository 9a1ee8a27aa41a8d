import {startTransition, useContext, useEffect, useState} from 'react'
import type {CodePiece} from './highlight.ts'
import {HighlightWorkerContext} from './highlight-worker.ts'
import {highlighterOf} from './highlighter.ts'

type Coloured = {code: string; language: string; pieces: CodePiece[] | undefined}

/** The coloured pieces of a block of code; `undefined` while it is plain. */
export function useHighlight(code: string, language: string, isWanted: boolean): CodePiece[] | undefined {
  const startWorker = useContext(HighlightWorkerContext)
  const highlighter = startWorker && highlighterOf(startWorker)
  const [coloured, setColoured] = useState<Coloured>()
  const stored = isWanted ? highlighter?.stored(code, language) : undefined
  const needsWorker = isWanted && stored === undefined
  useEffect(() => {
    if (!needsWorker) return
    let isCurrent = true
    void highlighter?.highlight(code, language).then((pieces) => {
      if (isCurrent) startTransition(() => setColoured({code, language, pieces}))
    })
    return () => {
      isCurrent = false
    }
  }, [highlighter, code, language, needsWorker])
  if (!isWanted) return undefined
  return coloured?.code === code && coloured.language === language ? coloured.pieces : stored
}
