/** Longest piece in characters: the browser lays it out in well under a frame. */
export const longestPiece = 4_000
/** Most lines of a piece of code. */
const linesInPiece = 40

/**
 * End of the piece that begins at `from`: after a line break or space near the longest length, never inside a
 * character.
 */
function endOfPiece(text: string, from: number): number {
  const limit = from + longestPiece
  if (limit >= text.length) return text.length
  // search the second half only: a search of the whole text would read everything before it
  const end = text.slice(limit - longestPiece / 2, limit)
  const breakAt = Math.max(end.lastIndexOf('\n'), end.lastIndexOf(' '))
  if (breakAt !== -1) return limit - end.length + breakAt + 1
  const isInsidePair = /[\uD800-\uDBFF]$/.test(end)
  return isInsidePair ? limit - 1 : limit
}

/** Splits text into pieces; joined, they are the text. A growing text keeps all pieces but the last. */
export function textPieces(text: string): string[] {
  const pieces: string[] = []
  for (let from = 0; from < text.length;) {
    const end = endOfPiece(text, from)
    pieces.push(text.slice(from, end))
    from = end
  }
  return pieces
}

/** Code in pieces of equal height. A line longer than a piece continues in the next one. */
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
