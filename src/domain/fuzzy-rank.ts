import {foldText} from './fold-text.ts'

/**
 * How well the name of a saved prompt matches what is typed (the palette has `fuzzyScore`): 0 is best, `undefined` not
 * at all. Letters of one word may be left out, not swapped; several words, which may be a sentence, are in the name as
 * they are typed.
 */
export function fuzzyRank(name: string, letters: string): number | undefined {
  const [text, query] = [foldText(name), foldText(letters.trim())]
  const start = text.indexOf(query)
  if (start !== -1) return start
  if (/\s/.test(query)) return undefined
  let at = -1
  for (const letter of query) {
    at = text.indexOf(letter, at + 1)
    if (at === -1) return undefined
  }
  return text.length + at
}
