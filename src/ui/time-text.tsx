type TimeTextProps = {
  /** ISO text or Unix milliseconds; any other value is rendered unchanged. */
  value: string | number
  /** Format of the moment. */
  format: (date: Date) => string
}

/** A moment as `<time>`, readable for machines too. */
export function TimeText({value, format}: TimeTextProps) {
  const date = new Date(value)
  if (Number.isNaN(date.getTime())) return <bdi>{value}</bdi>
  return (
    <time dateTime={date.toISOString()} dir="ltr" style={{fontVariantNumeric: 'tabular-nums'}}>
      {format(date)}
    </time>
  )
}
