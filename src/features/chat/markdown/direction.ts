/** Letters that are written from right to left. */
export const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/** Direction of the first letter. */
export function directionOf(text: string): 'ltr' | 'rtl' | undefined {
  const [letter] = /\p{L}/u.exec(text) ?? []
  return letter === undefined ? undefined : rightToLeft.test(letter) ? 'rtl' : 'ltr'
}
