import {formatNumber} from './arithmetic.ts'

const graphemes = new Intl.Segmenter('en', {granularity: 'grapheme'})
const words = new Intl.Segmenter('en', {granularity: 'word'})
const sentences = new Intl.Segmenter('en', {granularity: 'sentence'})
const wordsPerMinute = 230

const wordsOf = (text: string): string[] =>
  [...words.segment(text)].filter(({isWordLike}) => isWordLike).map(({segment}) => segment)

/** Words of more than three letters that stand in the text more than once, most frequent first. */
function frequentWords(list: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const word of list.map((item) => item.toLowerCase()).filter((item) => [...item].length > 3)) {
    counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  return [...counts]
    .filter(([, count]) => count > 1)
    .sort(([first, more], [second, fewer]) => fewer - more || (first < second ? -1 : 1))
    .slice(0, 5)
    .map(([word, count]) => `${word} (${count})`)
}

/** Facts of a text as a Markdown table: what a reader sees (graphemes), what is stored (bytes), what stands in it. */
export function textStatistics(text: string): string {
  const list = wordsOf(text)
  const paragraphs = text.split(/\n\s*\n/).filter((part) => part.trim() !== '').length
  const seconds = Math.ceil((list.length / wordsPerMinute) * 60)
  const frequent = frequentWords(list)
  const rows: [string, string | number][] = [
    ['Characters', [...graphemes.segment(text)].length],
    ['Characters without space', [...graphemes.segment(text.replace(/\s/gu, ''))].length],
    ['Words', list.length],
    ['Sentences', [...sentences.segment(text)].filter(({segment}) => segment.trim() !== '').length],
    ['Paragraphs', paragraphs],
    ['Lines', text.split('\n').length],
    ['UTF-8 bytes', new TextEncoder().encode(text).length],
    ['Reading time', seconds < 60 ? `${seconds} s` : `${Math.round(seconds / 60)} min`],
  ]
  const table = rows.map(([name, value]) => `| ${name} | ${typeof value === 'number' ? formatNumber(value) : value} |`)
  const often = frequent.length > 0 ? `\n\nMost frequent: ${frequent.join(', ')}.` : ''
  return `| Text | |\n|---|---:|\n${table.join('\n')}${often}`
}
