/**
 * Text of exactly `count` words in paragraphs with headings, the same for the same count. The words are numbered in
 * their order by the headings, so that a reader sees at once whether something is missing.
 */
export function numberedText(count: number): string {
  const parts: string[] = []
  for (let done = 0; done < count; done += wordsPerPart) {
    const words: string[] = []
    for (let index = done; index < Math.min(count, done + wordsPerPart); index += 1) words.push(wordAt(index))
    parts.push(`### ${done + 1}–${done + words.length}\n\n${paragraphs(words)}`)
  }
  return parts.join('\n\n')
}

const wordsPerPart = 100
const wordsPerSentence = 12
const vocabulary =
  'light river stone window garden paper morning quiet engine letter silver market island winter copper forest signal harbour pattern bridge'.split(
    ' ',
  )

/** A small multiplicative step walks through the vocabulary without repeating neighbours. */
const wordAt = (index: number): string =>
  vocabulary[(index * 7 + Math.floor(index / vocabulary.length) * 3) % vocabulary.length] ?? ''

function paragraphs(words: readonly string[]): string {
  const sentences: string[] = []
  for (let start = 0; start < words.length; start += wordsPerSentence) {
    const [first = '', ...rest] = words.slice(start, start + wordsPerSentence)
    sentences.push(`${[first.charAt(0).toUpperCase() + first.slice(1), ...rest].join(' ')}.`)
  }
  const half = Math.ceil(sentences.length / 2)
  return [sentences.slice(0, half), sentences.slice(half)]
    .filter((part) => part.length > 0)
    .map((part) => part.join(' '))
    .join('\n\n')
}
