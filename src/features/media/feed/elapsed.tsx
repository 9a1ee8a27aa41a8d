import {leftToRight} from '#domain/left-to-right.ts'
import {useText, type MessageId} from '#ui/text.tsx'
import {durationText} from '../duration.ts'
import {useTick} from '../use-tick.ts'

/** Digits of one width: nothing moves while it counts. */
const even = {fontVariantNumeric: 'tabular-nums'} as const

type ElapsedProps = {since: number; now: () => number; message?: MessageId | undefined}

/** Time since a moment, drawn anew each second. */
export function Elapsed({since, now, message}: ElapsedProps) {
  useTick()
  const text = useText()
  const elapsedText = durationText(Math.max(0, now() - since))
  return message === undefined ? (
    <bdi dir="ltr" style={even}>
      {elapsedText}
    </bdi>
  ) : (
    <span style={even}>{text(message, {time: leftToRight(elapsedText)})}</span>
  )
}
