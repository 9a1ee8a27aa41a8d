import {cutText, shortText} from '#domain/cut-text.ts'

/** A prompt without addresses and flags. */
const wordsOf = (prompt: string) =>
  prompt
    .normalize('NFKC')
    .replace(/https?:\/\/\S+/g, '')
    .replace(/(^|\s)--\S.*$/s, '')

const longestTitle = 120

/** Title for players: the words of the prompt on one line, unchanged. */
export function videoTitle(prompt: string): string | undefined {
  const words = wordsOf(prompt).replace(/\s+/g, ' ').trim()
  return words === '' ? undefined : shortText(words, longestTitle)
}

/** A file name for downloads: words of the prompt, and the seed. */
export function fileName(prompt: string, seed: number, extension: string): string {
  const words = wordsOf(prompt)
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu)
  const stem = (words ?? []).slice(0, 6).join('-')
  return `${cutText(stem, 48).replace(/-$/, '') || 'sandbox'}-${seed}.${extension}`
}
