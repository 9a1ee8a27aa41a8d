const wordsPerPart = 100
const vocabulary = 'light river stone window garden paper morning quiet engine letter silver market'.split(' ')

/**
 * Text of exactly `count` words under headings that number them, so that a reader sees at once whether something is
 * missing.
 */
export function numberedText(count: number): string {
  const words = Array.from({length: count}, (_, index) => vocabulary[index % vocabulary.length] ?? '')
  const parts = Array.from({length: Math.ceil(count / wordsPerPart)}, (_, part) => {
    const own = words.slice(part * wordsPerPart, (part + 1) * wordsPerPart)
    return `### ${part * wordsPerPart + 1}–${part * wordsPerPart + own.length}\n\n${own.join(' ')}.`
  })
  return parts.join('\n\n')
}
