const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte']

const digitsOf = (step: number) => (step < 2 ? 0 : 1)

/** The unit in which bytes are shown, by its number, and their number of it. */
function shownSize(bytes: number) {
  const valueAt = (step: number) => Number((bytes / 1_000 ** step).toFixed(digitsOf(step)))
  // of what is shown: 999,999 bytes are 1 MB, not 1,000 kB
  let step = 0
  while (step < units.length - 1 && valueAt(step) >= 1_000) step += 1
  return {step, value: valueAt(step)}
}

const formatSize = (value: number, step: number, locale: string, digits = digitsOf(step)) =>
  new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: units[step],
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumFractionDigits: digits,
  }).format(value)

/** Bytes as people read them: "2 bytes", "12 kB", "12.3 MB". Intl's short byte is "2 byte" in half of the languages. */
export function formatFileSize(bytes: number, locale: string): string {
  const {step, value} = shownSize(bytes)
  return formatSize(value, step, locale)
}

/** A limit in whole units, rounded down as the media forms and the server say it: 20 MiB are "20 MB". */
export function formatSizeLimit(bytes: number, locale: string): string {
  const unit = 1_000 ** Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1)
  return formatFileSize(Math.floor(bytes / unit) * unit, locale)
}

/** A size over a limit; where both would read the same it has one more digit, rounded up: "1.1 kB" over "1 kB". */
export function formatSizeOver(bytes: number, limit: number, locale: string): string {
  const size = formatFileSize(bytes, locale)
  if (size !== formatSizeLimit(limit, locale)) return size
  const {step} = shownSize(bytes)
  const digits = digitsOf(step) + 1
  const value = Math.ceil(bytes / (1_000 ** step / 10 ** digits)) / 10 ** digits
  return formatSize(value, step, locale, digits)
}
