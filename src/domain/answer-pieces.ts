import type {FollowFrame, MessageOutcome} from '#contract/chat.ts'

export type AnswerName = {id: string; message: string; attempt: number}

/** How far somebody has an answer: `lastSeq` is the last delta, 0 before the first. */
export type AnswerPosition = AnswerName & {lastSeq: number}

export type PieceEnd = {
  state: 'finished' | 'failed'
  outcome?: MessageOutcome
  error?: {code: string; message?: string}
}

/** Some deltas of one answer in a row: `texts[0]` has the sequence number `from`. */
export type AnswerPiece = AnswerName & {
  from: number
  texts: string[]
  provider?: string
  sandbox?: boolean
  end?: PieceEnd
}

export const isSameAnswer = (a: AnswerName, b: AnswerName) =>
  a.message === b.message && a.attempt === b.attempt && a.id === b.id

function endOf({state, outcome, error}: FollowFrame): PieceEnd | undefined {
  if (state == null) return undefined
  return {
    state,
    ...(outcome == null ? {} : {outcome}),
    ...(error == null ? {} : {error: {code: error.code, ...(error.message == null ? {} : {message: error.message})}}),
  }
}

/** Frames in the order of the stream → one piece for each answer. */
export function toPieces(frames: readonly FollowFrame[]): AnswerPiece[] {
  const pieces: AnswerPiece[] = []
  for (const frame of frames) {
    const {id, message, attempt, seq, delta_answer: text, provider, sandbox, state, outcome} = frame
    // an answer that cannot be followed any more did not end: it is to be retrieved
    if (state === 'failed' && outcome == null) continue
    const hasText = text != null && text !== ''
    let piece = pieces.find((other) => isSameAnswer(other, frame))
    if (piece === undefined) {
      piece = {id, message, attempt, from: hasText ? seq : seq + 1, texts: []}
      pieces.push(piece)
    }
    if (hasText) piece.texts.push(text)
    if (provider != null) piece.provider = provider
    if (sandbox != null) piece.sandbox = sandbox
    const end = endOf(frame)
    if (end !== undefined) piece.end = end
  }
  return pieces
}

/** Of a piece what comes after a position; undefined when deltas between them are missing. */
export function pieceAfter(piece: AnswerPiece, lastSeq: number): AnswerPiece | undefined {
  const skip = lastSeq + 1 - piece.from
  return skip < 0 ? undefined : {...piece, from: lastSeq + 1, texts: piece.texts.slice(skip)}
}

export const lastSeqOf = ({from, texts}: AnswerPiece) => from + texts.length - 1

/** The pieces so far and the next ones of the same stream, one for each answer. Of those that ended the last few stay. */
export function joinPieces(
  known: readonly AnswerPiece[],
  next: readonly AnswerPiece[],
  mostEnded: number,
): AnswerPiece[] {
  const joined = known.map((piece) => {
    const added = next.find((other) => isSameAnswer(other, piece))
    const rest = added && pieceAfter(added, lastSeqOf(piece))
    return rest === undefined ? piece : {...piece, ...rest, from: piece.from, texts: [...piece.texts, ...rest.texts]}
  })
  const all = [...joined, ...next.filter((piece) => !known.some((other) => isSameAnswer(other, piece)))]
  const ended = all.filter(({end}) => end !== undefined)
  const old = ended.slice(0, Math.max(0, ended.length - mostEnded))
  return all.filter((piece) => !old.includes(piece))
}
