type TimeTextProps = {
  /** ISO text or Unix milliseconds; what is neither is shown as it came. */
  value: string | number
  /** How the moment is written. */
  format: (date: Date) => string
}

/** A moment, readable for machines too. */
export function TimeText({value, format}: TimeTextProps) {
  const date = new Date(value)
  if (Number.isNaN(date.getTime())) return <bdi>{value}</bdi>
  return (
    <time dateTime={date.toISOString()} style={{fontVariantNumeric: 'tabular-nums'}}>
      <bdi dir="ltr">{format(date)}</bdi>
    </time>
  )
}
