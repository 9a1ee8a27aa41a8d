import {memo, useMemo} from 'react'
import styles from './long-text.module.css'
import {textPieces} from './text-pieces.ts'

/** Longer text (in characters) is split into blocks, of which the browser lays out only those near the screen. */
export const longText = 16_000

/** `isBlock`: the piece is a block that the browser lays out near the screen only. */
const TextPiece = memo(({text, isBlock}: {text: string; isBlock: boolean}) => (
  <span className={isBlock ? styles.block : undefined}>{text}</span>
))

/** Plain text of any length: a line of a megabyte does not block the page (security R06). */
export function LongText({text}: {text: string}) {
  const pieces = useMemo(() => (text.length > longText ? textPieces(text) : undefined), [text])
  if (pieces === undefined) return text
  return pieces.map((piece, index) => <TextPiece key={index} text={piece} isBlock />)
}
