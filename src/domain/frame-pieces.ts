import type {FollowFrame} from '#contract/answer-frames.ts'
import {isSameAnswer, type AnswerPiece, type PieceEnd} from './answer-pieces.ts'

function endOf({state, outcome, error}: FollowFrame): PieceEnd | undefined {
  if (state == null) return undefined
  return {
    state,
    ...(outcome == null ? {} : {outcome}),
    ...(error == null ? {} : {error: {code: error.code, ...(error.message == null ? {} : {message: error.message})}}),
  }
}

/** Frames in stream order → one piece per answer. */
export function toPieces(frames: readonly FollowFrame[]): AnswerPiece[] {
  const pieces: AnswerPiece[] = []
  for (const frame of frames) {
    const {id, message, attempt, seq, delta_answer: text, provider, sandbox, state, outcome} = frame
    // the answer cannot be followed any more but has not ended: retrieve it
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
