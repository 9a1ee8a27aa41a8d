const formula = /^[\s\u0000-\u001f]*[=+\-@\uff0b\uff0d\uff1d\uff20]|^[\t\r\n]/
const signedNumber = /^[+-](?:\d[\d.,]*(?:e[+-]?\d+)?%?)?$/i

/**
 * A text as a field of RFC 4180. What a spreadsheet would take for a formula gets an apostrophe in front, after which
 * it is text (OWASP, CSV injection): the texts come from operators, users and models. A number keeps its sign,
 * and so does a sign alone, which stands for "none" in many tables.
 */
export function csvField(text: string): string {
  const inert = formula.test(text) && !signedNumber.test(text) ? `'${text}` : text
  return /[",\r\n']/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert
}

/** One line of RFC 4180, with its end. */
export const csvLine = (fields: readonly string[]): string => `${fields.map(csvField).join(',')}\r\n`
