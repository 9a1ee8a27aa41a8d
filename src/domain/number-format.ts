/** A language with Latin digits, as all numbers are written here (design §9). */
export const latinDigits = (locale: string): string => `${locale}-u-nu-latn`

const formats = new Map<string, Intl.NumberFormat>()

/** Numbers as a language groups them. A format is kept: making one takes as long as hundreds of its numbers. */
export function numberFormat(locale: string, options: Intl.NumberFormatOptions = {}): Intl.NumberFormat {
  const key = `${locale} ${JSON.stringify(options)}`
  const storedFormat = formats.get(key)
  if (storedFormat !== undefined) return storedFormat
  const format = new Intl.NumberFormat(latinDigits(locale), options)
  formats.set(key, format)
  return format
}
