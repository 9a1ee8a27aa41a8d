import {startTransition, useContext, useEffect, useMemo, useState} from 'react'
import type {ColouredCode} from './code-painter.ts'
import {colourable, createGrowingColours} from './growing-colours.ts'
import {HighlightWorkerContext} from './highlight-worker.ts'
import {highlighterOf, type Highlighter} from './highlighter.ts'

type Known = {language: string; coloured: ColouredCode}

/** Colours of a block while its fence is open: of its lines so far, from time to time. */
function useGrowingColours(
  highlighter: Highlighter | undefined,
  code: string,
  language: string,
  show: (result: Known) => void,
): void {
  const colours = useMemo(
    () =>
      highlighter &&
      createGrowingColours(
        (lines) => highlighter.preview(lines, language),
        (coloured) => startTransition(() => show({language, coloured})),
      ),
    [highlighter, language, show],
  )
  useEffect(() => {
    colours?.grow(code)
  }, [colours, code])
  useEffect(() => () => colours?.end(), [colours])
}

/** Colours of a block of code, of all of it or of its first lines; `undefined` while it is plain. */
export function useHighlight(code: string, language: string, closed: boolean): ColouredCode | undefined {
  const startWorker = useContext(HighlightWorkerContext)
  const highlighter = startWorker && language !== '' ? highlighterOf(startWorker) : undefined
  const [lastColours, setLastColours] = useState<Known>()
  useGrowingColours(closed ? undefined : highlighter, code, language, setLastColours)
  const wanted = closed ? colourable(code, true) : ''
  const pieces = wanted === '' ? undefined : highlighter?.stored(wanted, language)
  const stored = useMemo(() => pieces && {code: wanted, pieces}, [wanted, pieces])
  const needsWorker = wanted !== '' && pieces === undefined
  useEffect(() => {
    if (!needsWorker) return
    let isCurrent = true
    void highlighter?.highlight(wanted, language).then((found) => {
      if (isCurrent && found !== undefined) {
        startTransition(() => setLastColours({language, coloured: {code: wanted, pieces: found}}))
      }
    })
    return () => {
      isCurrent = false
    }
  }, [highlighter, wanted, language, needsWorker])
  return stored ?? (lastColours?.language === language ? lastColours.coloured : undefined)
}
