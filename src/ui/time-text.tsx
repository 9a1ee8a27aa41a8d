const two = (value: number) => String(value).padStart(2, '0')

/** `YYYY-MM-DD HH:mm:ss` in local time (spec §9). */
export const formatDateTime = (date: Date): string =>
  `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ` +
  `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`

/** A moment. Takes ISO text or Unix milliseconds; what is neither is shown as it came. */
export function TimeText({value}: {value: string | number}) {
  const date = new Date(value)
  if (Number.isNaN(date.getTime())) return <bdi>{value}</bdi>
  return (
    <time dateTime={date.toISOString()} style={{fontVariantNumeric: 'tabular-nums'}}>
      <bdi dir="ltr">{formatDateTime(date)}</bdi>
    </time>
  )
}
