/** A text of at most so many UTF-16 units, cut between characters as a reader sees them: a joined emoji is one. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text
  // without a segmenter, as in Firefox before 125, what is joined of several characters may be cut
  const clusters = 'Segmenter' in Intl ? new Intl.Segmenter(undefined, {granularity: 'grapheme'}) : undefined
  const end = clusters?.segment(text.slice(0, most + 64)).containing(most)?.index || most
  return text.slice(0, end).replace(/[\uD800-\uDBFF]$/, '')
}

/** A text of at most so many UTF-16 units; of a longer one the begin, to the end of a word where one is near, and “…”. */
export function shortText(text: string, most: number): string {
  if (text.length <= most) return text
  const start = cutText(text, most - 1)
  const words = text.slice(0, start.length + 1).replace(/(?<!\s)\s+\S*$/, '')
  return `${(words.length > most / 2 && words.length <= start.length ? words : start).trimEnd()}…`
}
