import {startTransition, useContext, useEffect, useMemo, useState} from 'react'
import type {ColouredCode} from './code-painter.ts'
import {colourable, createGrowingColours} from './growing-colours.ts'
import {HighlightWorkerContext, type HighlightWorker} from './highlight-worker.ts'
import {highlighterOf} from './highlighter.ts'

type Colouring = {language: string; coloured: ColouredCode}

/** Colours of a block while its fence is open: of its lines so far, from time to time. */
function useGrowingColours(
  startWorker: (() => HighlightWorker) | undefined,
  code: string,
  language: string,
  show: (result: Colouring) => void,
): void {
  const colours = useMemo(
    () =>
      startWorker &&
      createGrowingColours(
        (lines) => highlighterOf(startWorker).preview(lines, language),
        (colouredCode) => startTransition(() => show({language, coloured: colouredCode})),
      ),
    [startWorker, language, show],
  )
  useEffect(() => {
    colours?.grow(code)
  }, [colours, code])
  useEffect(() => () => colours?.end(), [colours])
}

/** Colours of a block of code, of all of it or of its first lines; `undefined` while it is plain. */
export function useHighlight(code: string, language: string, isClosed: boolean): ColouredCode | undefined {
  const contextWorker = useContext(HighlightWorkerContext)
  // the highlighter is another one in the next session: it is looked up for each request
  const startWorker = language === '' ? undefined : contextWorker
  const [lastColours, setLastColours] = useState<Colouring>()
  useGrowingColours(isClosed ? undefined : startWorker, code, language, setLastColours)
  const wantedCode = isClosed ? colourable(code, true) : ''
  const pieces = startWorker && wantedCode !== '' ? highlighterOf(startWorker).stored(wantedCode, language) : undefined
  const storedColours = useMemo(() => pieces && {code: wantedCode, pieces}, [wantedCode, pieces])
  const needsWorker = wantedCode !== '' && pieces === undefined
  useEffect(() => {
    if (!needsWorker || startWorker === undefined) return
    let isCurrent = true
    void highlighterOf(startWorker)
      .highlight(wantedCode, language)
      .then((newPieces) => {
        if (isCurrent && newPieces !== undefined) {
          startTransition(() => setLastColours({language, coloured: {code: wantedCode, pieces: newPieces}}))
        }
      })
    return () => {
      isCurrent = false
    }
  }, [startWorker, wantedCode, language, needsWorker])
  return storedColours ?? (lastColours?.language === language ? lastColours.coloured : undefined)
}
