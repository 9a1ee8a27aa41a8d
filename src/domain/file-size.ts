const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte']

/** Bytes as people read them: "2 bytes", "12 kB", "12.3 MB". Intl's short form of a byte is "2 byte" in half of the languages. */
export function formatFileSize(bytes: number, locale: string): string {
  const digitsAt = (step: number) => (step < 2 ? 0 : 1)
  const valueAt = (step: number) => Number((bytes / 1_000 ** step).toFixed(digitsAt(step)))
  // of what is shown: 999,999 bytes are 1 MB, not 1,000 kB
  let step = 0
  while (step < units.length - 1 && valueAt(step) >= 1_000) step += 1
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: units[step],
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumFractionDigits: digitsAt(step),
  }).format(valueAt(step))
}

/** A limit in whole units, rounded down as the media forms and the server say it: 20 MiB are "20 MB". */
export function formatSizeLimit(bytes: number, locale: string): string {
  const unit = 1_000 ** Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1)
  return formatFileSize(Math.floor(bytes / unit) * unit, locale)
}
