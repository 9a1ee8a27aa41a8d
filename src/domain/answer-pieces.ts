import type {MessageOutcome} from '#contract/chat.ts'

export type AnswerName = {id: string; message: string; attempt: number}

/** Position in an answer: `lastSeq` is the last delta, 0 before the first. */
export type AnswerPosition = AnswerName & {lastSeq: number}

export type PieceEnd = {
  state: 'finished' | 'failed'
  outcome?: MessageOutcome
  error?: {code: string; message?: string}
}

/** Consecutive deltas of one answer: `texts[0]` has the sequence number `from`. */
export type AnswerPiece = AnswerName & {
  from: number
  texts: string[]
  provider?: string
  sandbox?: boolean
  end?: PieceEnd
}

export const isSameAnswer = (a: AnswerName, b: AnswerName) =>
  a.message === b.message && a.attempt === b.attempt && a.id === b.id

/** The part of a piece after a position; undefined if deltas between them are missing. */
export function pieceAfter(piece: AnswerPiece, lastSeq: number): AnswerPiece | undefined {
  const skip = lastSeq + 1 - piece.from
  return skip < 0 ? undefined : {...piece, from: lastSeq + 1, texts: piece.texts.slice(skip)}
}

export const lastSeqOf = ({from, texts}: AnswerPiece) => from + texts.length - 1

/** Joins pieces of the same stream, one per answer. Keeps the last few ended answers. */
export function joinPieces(
  pieces: readonly AnswerPiece[],
  next: readonly AnswerPiece[],
  mostEnded: number,
): AnswerPiece[] {
  const joinedPieces = pieces.map((piece) => {
    const addition = next.find((other) => isSameAnswer(other, piece))
    const rest = addition && pieceAfter(addition, lastSeqOf(piece))
    return rest === undefined ? piece : {...piece, ...rest, from: piece.from, texts: [...piece.texts, ...rest.texts]}
  })
  const all = [...joinedPieces, ...next.filter((piece) => !pieces.some((other) => isSameAnswer(other, piece)))]
  const ends = all.filter(({end}) => end !== undefined)
  const old = ends.slice(0, Math.max(0, ends.length - mostEnded))
  return all.filter((piece) => !old.includes(piece))
}
