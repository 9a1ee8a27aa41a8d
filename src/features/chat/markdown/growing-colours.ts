import type {ColouredCode} from './code-painter.ts'
import type {CodePiece} from './highlight.ts'

/** Milliseconds without a new character after which what is there is coloured. */
const stillness = 1_000
/** Colours are asked for again after so many new lines, */
const newLines = 20
/** and after this share of the code: all of it is read each time. */
const newShare = 1 / 8
/** Longer code (in characters) has colours up to here. */
const longestHighlight = 100_000

/** The part of a code that is coloured; of code that grows, its complete lines. */
export function colourable(code: string, isClosed: boolean): string {
  if (isClosed && code.length <= longestHighlight) return code
  return code.slice(0, code.lastIndexOf('\n', longestHighlight - 1) + 1)
}

type GrowingColours = {
  grow: (code: string) => void
  end: () => void
}

/** Colours for the complete lines of code that grows, one request at a time. Code without colours is asked for once. */
export function createGrowingColours(
  highlight: (code: string) => Promise<CodePiece[] | undefined>,
  show: (coloured: ColouredCode) => void,
): GrowingColours {
  let latest = ''
  let lastLength = 0
  let isAsking = false
  let isEnded = false
  let timer: ReturnType<typeof setTimeout> | undefined

  const end = () => {
    isEnded = true
    clearTimeout(timer)
  }

  const ask = () => {
    const code = colourable(latest, false)
    if (isEnded || isAsking || code.length <= lastLength) return
    isAsking = true
    lastLength = code.length
    void highlight(code).then((pieces) => {
      isAsking = false
      if (isEnded) return
      if (pieces === undefined) return end()
      show({code, pieces})
      grow(latest)
    })
  }

  const hasGrown = () =>
    latest.length - lastLength >= lastLength * newShare &&
    latest.slice(lastLength).split('\n', newLines + 1).length > newLines

  const grow = (code: string) => {
    latest = code
    clearTimeout(timer)
    if (isEnded || isAsking) return
    if (hasGrown()) ask()
    else timer = setTimeout(ask, stillness)
  }

  return {grow, end}
}
