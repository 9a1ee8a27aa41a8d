import {findMatches} from '#domain/find-text.ts'

/** Elements around the words of a message: heads and buttons of code, thoughts, formulas. */
const aroundWords = 'button, figcaption, details, [role="math"]'
const blocks = 'p, li, h3, h4, h5, h6, td, th, pre, blockquote, [data-words]'

/** Texts in order, those of one block joined: a match may cross bold words, not paragraphs. */
function blockTexts(words: Element): Text[][] {
  const walker = document.createTreeWalker(words, NodeFilter.SHOW_TEXT)
  const groups: Text[][] = []
  let last: Element | null = null
  while (walker.nextNode()) {
    const text = walker.currentNode
    if (!(text instanceof Text) || text.parentElement === null || text.parentElement.closest(aroundWords)) continue
    const block = text.parentElement.closest(blocks)
    if (block === last) groups.at(-1)?.push(text)
    else groups.push([text])
    last = block
  }
  return groups
}

/** Returns the ranges of a folded query in the words of a row of the thread. */
export function textRanges(row: Element, query: string): Range[] {
  return [...row.querySelectorAll('[data-words]')].flatMap(blockTexts).flatMap((texts) => {
    const joinedText = texts.map(({data}) => data).join('')
    return findMatches(joinedText, query).map(({start, end}) => rangeIn(texts, start, end))
  })
}

function rangeIn(texts: readonly Text[], from: number, to: number): Range {
  const range = document.createRange()
  let before = 0
  for (const text of texts) {
    const end = before + text.length
    if (from >= before && from < end) range.setStart(text, from - before)
    if (to > before && to <= end) range.setEnd(text, to - before)
    before = end
  }
  return range
}
