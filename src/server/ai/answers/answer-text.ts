/**
 * Makes a provider's deltas storable without changing their text: half a surrogate pair at the end of a delta waits for
 * its other half; what can never be stored (NUL, a lone half) becomes U+FFFD, for listeners and for the store alike.
 */
export function createDeltaCleaner(): {push: (text: string) => string; end: () => string} {
  let heldText = ''
  return {
    push: (text) => {
      const whole = heldText + text
      const last = whole.charCodeAt(whole.length - 1)
      heldText = last >= 0xd800 && last <= 0xdbff ? whole.slice(-1) : ''
      return storable(heldText === '' ? whole : whole.slice(0, -1))
    },
    end: () => {
      const rest = storable(heldText)
      heldText = ''
      return rest
    },
  }
}

// With the u flag, \p{Surrogate} matches lone halves only.
const unstorable = /[\0\p{Surrogate}]/gu
const storable = (text: string): string => text.replace(unstorable, '\uFFFD')

const longestDelta = 8_192

/** Cuts one piece of text (the whole answer of a server that does not stream) into deltas, never inside a character. */
export function toDeltas(text: string): string[] {
  const deltas: string[] = []
  let start = 0
  while (start < text.length) {
    let end = Math.min(start + longestDelta, text.length)
    const last = text.charCodeAt(end - 1)
    if (end < text.length && last >= 0xd800 && last <= 0xdbff) end -= 1
    deltas.push(text.slice(start, end))
    start = end
  }
  return deltas
}
