const isStart = (text: string, at: number) => at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? '')

/** Spaces and signs, where a word ends. */
const breaksIn = (gap: string) => gap.match(/[^\p{L}\p{N}]+/gu)?.length ?? 0

/** The next such letter in the rest of its word or at the start of a later one; -1: there is none. */
function nextOf(letter: string, text: string, from: number): number {
  const wordEnd = text.slice(from).search(/[^\p{L}\p{N}]/u)
  let at = text.indexOf(letter, from)
  while (at !== -1 && wordEnd !== -1 && at > from + wordEnd && !isStart(text, at)) at = text.indexOf(letter, at + 1)
  return at
}

/** The letters of a word in their order, from a position on; the closer together and to starts of words, the better. */
function scoreFrom(word: string, text: string, start: number): number | undefined {
  let score = 0
  let last = start - 1
  for (const letter of word) {
    const at = nextOf(letter, text, last + 1)
    if (at === -1) return undefined
    const gap = text.slice(last + 1, at)
    score += gap === '' ? 3 : isStart(text, at) ? 3 - breaksIn(gap) : 0
    last = at
  }
  return score
}

/** Letters that lie scattered over a text are no match. */
const fewestPoints = (word: string) => word.length * 1.5

function scoreOfWord(word: string, text: string): number | undefined {
  const whole = text.indexOf(word)
  if (whole !== -1) return word.length * 4 + (isStart(text, whole) ? 8 : 0) + (whole === 0 ? 4 : 0)
  let best: number | undefined
  for (let at = text.indexOf(word[0] ?? ''); at !== -1; at = text.indexOf(word[0] ?? '', at + 1)) {
    if (!isStart(text, at)) continue
    const score = scoreFrom(word, text, at)
    if (score !== undefined && (best === undefined || score > best)) best = score
  }
  return best !== undefined && best >= fewestPoints(word) ? best : undefined
}

/**
 * How well a text is what a query means; undefined: not at all. Each word of the query has to be in it, in any order:
 * as it is, or by its letters from the start of a word on (`nch` finds "New chat"). Both are folded already.
 */
export function fuzzyScore(query: string, text: string): number | undefined {
  let sum = 0
  for (const word of query.split(/\s+/).filter(Boolean)) {
    const score = scoreOfWord(word, text)
    if (score === undefined) return undefined
    sum += score
  }
  // of two that match alike the shorter one is meant
  return sum - text.length / 1000
}
