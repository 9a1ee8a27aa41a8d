/** A piece has at most so many characters: the browser lays out one in well under a frame. */
export const longestPiece = 4_000
/** A piece of code ends after so many lines. */
const linesInPiece = 40

/** Where a piece that begins at `from` ends: after a line break or a space near its longest length, never inside a character. */
function endOfPiece(text: string, from: number): number {
  const limit = from + longestPiece
  if (limit >= text.length) return text.length
  // of the second half alone: a search in the whole text would look through all that stands before
  const end = text.slice(limit - longestPiece / 2, limit)
  const breakAt = Math.max(end.lastIndexOf('\n'), end.lastIndexOf(' '))
  if (breakAt !== -1) return limit - end.length + breakAt + 1
  const isInsidePair = /[\uD800-\uDBFF]$/.test(end)
  return isInsidePair ? limit - 1 : limit
}

/** The text in pieces that joined are the text. Text that grows keeps all its pieces but the last. */
export function textPieces(text: string): string[] {
  const pieces: string[] = []
  for (let from = 0; from < text.length;) {
    const end = endOfPiece(text, from)
    pieces.push(text.slice(from, end))
    from = end
  }
  return pieces
}

/** Code in pieces of equal height. A line longer than a piece goes on in the next one. */
export function codePieces(code: string): string[] {
  const lines = code.split('\n')
  const pieces: string[] = []
  for (let from = 0; from < lines.length; from += linesInPiece) {
    const end = Math.min(from + linesInPiece, lines.length)
    const piece = lines.slice(from, end).join('\n') + (end < lines.length ? '\n' : '')
    if (piece.length <= longestPiece) pieces.push(piece)
    else pieces.push(...textPieces(piece))
  }
  return pieces
}
