/** A name for a user that may stay in the browser after a sign-out: it equals the same user's, and says no more. */
export function ownerMark(userId: string): string {
  let [low, high] = [0xdeadbeef, 0x41c6ce57]
  for (const character of userId) {
    const code = character.codePointAt(0) ?? 0
    low = Math.imul(low ^ code, 2_654_435_761)
    high = Math.imul(high ^ code, 1_597_334_677)
  }
  low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909)
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909)
  return (high >>> 0).toString(36) + (low >>> 0).toString(36)
}
