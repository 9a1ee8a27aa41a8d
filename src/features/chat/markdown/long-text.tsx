import {memo, useMemo} from 'react'
import styles from './long-text.module.css'
import {textPieces} from './text-pieces.ts'

/** Text beyond this length (in characters) is laid out in blocks, and only those near the screen. */
export const longText = 16_000

/** `isBlock`: the piece is a block of its own that the browser lays out when it comes near the screen. */
export const TextPiece = memo(({text, isBlock}: {text: string; isBlock: boolean}) => (
  <span className={isBlock ? styles.block : undefined}>{text}</span>
))

/** Plain text of any length: a line of a megabyte does not hold the page up (security R06). */
export function LongText({text}: {text: string}) {
  const pieces = useMemo(() => (text.length > longText ? textPieces(text) : undefined), [text])
  if (pieces === undefined) return text
  return pieces.map((piece, index) => <TextPiece key={index} text={piece} isBlock />)
}
