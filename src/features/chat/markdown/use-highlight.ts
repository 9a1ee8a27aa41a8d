import {startTransition, useContext, useEffect, useMemo, useState} from 'react'
import type {ColouredCode} from './code-painter.ts'
import {colourable, createGrowingColours} from './growing-colours.ts'
import {ChatContext} from '../chat.context.tsx'
import {HighlightWorkerContext} from './highlight-worker.ts'
import {highlighterOf, type Highlighter} from './highlighter.ts'

type Colouring = {language: string; coloured: ColouredCode}

/** Colours of a block while its fence is open: of its lines so far, from time to time. */
function useGrowingColours(
  highlighter: Highlighter | undefined,
  code: string,
  language: string,
  show: (result: Colouring) => void,
): void {
  const colours = useMemo(
    () =>
      highlighter &&
      createGrowingColours(
        (lines) => highlighter.preview(lines, language),
        (colouredCode) => startTransition(() => show({language, coloured: colouredCode})),
      ),
    [highlighter, language, show],
  )
  useEffect(() => {
    colours?.grow(code)
  }, [colours, code])
  useEffect(() => () => colours?.end(), [colours])
}

/** Colours of a block of code, of all of it or of its first lines; `undefined` while it is plain. */
export function useHighlight(code: string, language: string, isClosed: boolean): ColouredCode | undefined {
  const startWorker = useContext(HighlightWorkerContext)
  const session = useContext(ChatContext)?.actors?.conversations
  const highlighter = startWorker && language !== '' ? highlighterOf(startWorker, session) : undefined
  const [lastColours, setLastColours] = useState<Colouring>()
  useGrowingColours(isClosed ? undefined : highlighter, code, language, setLastColours)
  const wantedCode = isClosed ? colourable(code, true) : ''
  const pieces = wantedCode === '' ? undefined : highlighter?.stored(wantedCode, language)
  const storedColours = useMemo(() => pieces && {code: wantedCode, pieces}, [wantedCode, pieces])
  const needsWorker = wantedCode !== '' && pieces === undefined
  useEffect(() => {
    if (!needsWorker) return
    let isCurrent = true
    void highlighter?.highlight(wantedCode, language).then((newPieces) => {
      if (isCurrent && newPieces !== undefined) {
        startTransition(() => setLastColours({language, coloured: {code: wantedCode, pieces: newPieces}}))
      }
    })
    return () => {
      isCurrent = false
    }
  }, [highlighter, wantedCode, language, needsWorker])
  return storedColours ?? (lastColours?.language === language ? lastColours.coloured : undefined)
}
