import {findMatches} from '#domain/find-text.ts'

/** Elements around the words of a message: heads and buttons of code, thoughts, formulas. */
const aroundWords = 'button, figcaption, details, [role="math"]'
const blocks = 'p, li, h3, h4, h5, h6, td, th, pre, blockquote, [data-words]'

const acceptWords = (node: Node) =>
  node instanceof Text
    ? NodeFilter.FILTER_ACCEPT
    : node instanceof Element && node.matches(aroundWords)
      ? NodeFilter.FILTER_REJECT
      : NodeFilter.FILTER_SKIP

/** Texts in order, those of one block joined: a match may cross bold words, not paragraphs. */
function blockTexts(words: Element): Text[][] {
  if (words.closest(aroundWords)) return []
  const walker = document.createTreeWalker(words, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, acceptWords)
  const groups: Text[][] = []
  let last: Element | null | undefined
  while (walker.nextNode()) {
    const text = walker.currentNode
    if (!(text instanceof Text)) continue
    const block = text.parentElement?.closest(blocks)
    if (block === last) groups.at(-1)?.push(text)
    else groups.push([text])
    last = block
  }
  return groups
}

/** Returns the ranges of a folded query in the words of a row of the thread. */
export const textRanges = (row: Element, query: string): Range[] =>
  [...row.querySelectorAll('[data-words]')].flatMap(blockTexts).flatMap((texts) => rangesIn(texts, query))

/** One of several texts, and the number of characters before it. */
type Position = {nth: number; before: number}

/** Passes the texts once, whatever the number of matches: coloured code has thousands of both. */
function rangesIn(texts: readonly Text[], query: string): Range[] {
  const contents = texts.map(({data}) => data)
  /** The position of the text with a character, at or after a position. */
  const positionOf = (character: number, from: Position): Position => {
    const position = {...from}
    for (let text = contents[from.nth]; text !== undefined; text = contents[position.nth]) {
      if (character < position.before + text.length) break
      position.before += text.length
      position.nth += 1
    }
    return position
  }
  let first: Position = {nth: 0, before: 0}
  return findMatches(contents.join(''), query).flatMap(({start, end}) => {
    first = positionOf(start, first)
    const last = positionOf(end - 1, first)
    const [startText, endText] = [texts[first.nth], texts[last.nth]]
    if (startText === undefined || endText === undefined) return []
    const range = document.createRange()
    range.setStart(startText, start - first.before)
    range.setEnd(endText, end - last.before)
    return [range]
  })
}
