const padded = (number: number, length = 2) => String(number).padStart(length, '0')

/** Local time as `YYYY-MM-DD HH:mm:ss` (spec §9); empty for an invalid time. */
export function formatDateTime(time: Date | number | string): string {
  const date = new Date(time)
  if (Number.isNaN(date.getTime())) return ''
  const day = [padded(date.getFullYear(), 4), padded(date.getMonth() + 1), padded(date.getDate())].join('-')
  return `${day} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => padded(part)).join(':')}`
}
