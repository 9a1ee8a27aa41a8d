import type {RecordMessage} from './conversation.ts'
import {cutText} from './cut-text.ts'
import {foldText, originalRanges, type TextRange} from './fold-text.ts'
import {searchWords} from './search-words.ts'
import {searchedText} from './visible-text.ts'

/** A message that no path of this device shows. */
export type HiddenText = {id: string; role: RecordMessage['role']; text: string}

/**
 * The searched parts of a conversation: its title and the texts of its messages, in order. `answers`: positions of the
 * texts that are shown as Markdown.
 */
export type SearchEntry = {
  key: string
  title: string
  texts: readonly string[]
  answers: readonly number[]
  hidden?: readonly HiddenText[]
  updatedAt: number
}

/**
 * A conversation with all words of a query. `message`: position of a message with one, or `hidden`: a message that no
 * path shows; neither where the title has all words and the messages do not.
 */
export type SearchHit = {key: string; message?: number; hidden?: HiddenText}

/** Most conversations that a search shows. */
export const mostHits = 100

/** One conversation, folded: its title, its messages, then the hidden ones; `starts` are their positions. */
type FoldedEntry = {
  key: string
  text: string
  starts: readonly number[]
  hidden: readonly HiddenText[]
  updatedAt: number
}

/** Between texts; no query contains it. */
const separator = '\n'

function fold({key, title, texts, answers, hidden = [], updatedAt}: SearchEntry): FoldedEntry {
  const answerIndices = new Set(answers)
  const shownTexts = texts.map((text, index) => (answerIndices.has(index) ? searchedText(text) : text))
  const hiddenTexts = hidden.map(({role, text}) => (role === 'assistant' ? searchedText(text) : text))
  const foldedTexts = [title, ...shownTexts, ...hiddenTexts].map(foldText)
  let position = 0
  const starts = foldedTexts.map((text) => {
    const start = position
    position += text.length + separator.length
    return start
  })
  return {key, text: foldedTexts.join(separator), starts, hidden, updatedAt}
}

/** The text has all words behind a position. */
const hasAll = (text: string, words: readonly string[], from = 0) => words.every((word) => text.includes(word, from))

/** The message that has the rarest word, and of those the first. */
function messageOf({text, starts, hidden}: FoldedEntry, words: readonly string[]): Omit<SearchHit, 'key'> {
  const afterTitle = starts[1]
  if (afterTitle === undefined) return {}
  for (const word of words) {
    const position = text.indexOf(word, afterTitle)
    if (position === -1) continue
    const message = starts.findLastIndex((start) => start <= position) - 1
    const hiddenText = hidden[message + 1 - (starts.length - hidden.length)]
    return hiddenText === undefined ? {message} : {hidden: hiddenText}
  }
  return {}
}

/**
 * Folded texts of conversations, scanned from end to end by every search: 50 MB take tens of milliseconds, so that
 * there is nothing to build, keep or get out of step (docs/decisions/0055).
 */
export function createSearchIndex() {
  const entries = new Map<string, FoldedEntry>()
  let newestFirst: FoldedEntry[] | undefined
  return {
    put(newEntries: readonly SearchEntry[]): void {
      for (const entry of newEntries) entries.set(entry.key, fold(entry))
      newestFirst = undefined
    },
    remove(keys: readonly string[]): void {
      for (const key of keys) entries.delete(key)
      newestFirst = undefined
    },
    /** Conversations with all words: first those whose title has them, then the newest. */
    find(query: string, most: number): SearchHit[] {
      const words = searchWords(query)
      if (words.length === 0) return []
      newestFirst ??= [...entries.values()].sort((a, b) => b.updatedAt - a.updatedAt)
      const titleHits: SearchHit[] = []
      const others: SearchHit[] = []
      for (const entry of newestFirst) {
        const titleEnd = entry.starts[1] ?? entry.text.length
        const isTitleHit = hasAll(entry.text.slice(0, titleEnd), words)
        const hits = isTitleHit ? titleHits : others
        if (hits.length === most || !(isTitleHit || hasAll(entry.text, words))) continue
        const isMessageHit = !isTitleHit || hasAll(entry.text, words, titleEnd)
        hits.push({key: entry.key, ...(isMessageHit && messageOf(entry, words))})
      }
      return [...titleHits, ...others].slice(0, most)
    },
  }
}

/** A piece of a snippet; `isHit`: a word of the query. */
export type SnippetPiece = {text: string; isHit: boolean}

/** How much stands before the first hit: at most in a text from its begin, and in one that is cut there. */
type Lead = {whole: number; cut: number; widthOf: (text: string) => number}
const textLead: Lead = {whole: 30, cut: 30, widthOf: ({length}) => length}
/** Letters that are twice as wide as others: those of Chinese, Japanese and Korean. */
const wideLetters = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]/g
/** A title has one line, in which the hit is to be seen. */
export const titleLead: Lead = {
  whole: 26,
  cut: 16,
  widthOf: (text) => text.length + (text.match(wideLetters)?.length ?? 0),
}
/** Characters in all. */
const longest = 160
/** The search reads only the beginning of a longer message. */
const longestSource = 1_000_000

/** Ranges of the words in a text, in order, not overlapping. */
function rangesOf(text: string, words: readonly string[]): readonly TextRange[] {
  const foldedText = foldText(text)
  const matches = words.flatMap((word) => {
    const all: TextRange[] = []
    for (let at = foldedText.indexOf(word); at !== -1; at = foldedText.indexOf(word, at + word.length))
      all.push({start: at, end: at + word.length})
    return all
  })
  const sortedMatches = matches.sort((a, b) => a.start - b.start || b.end - a.end)
  const ranges = sortedMatches.filter((range, index) =>
    sortedMatches.slice(0, index).every(({end}) => end <= range.start),
  )
  return originalRanges(text, ranges)
}

/** Finds the begin of a snippet: at a word shortly before a hit, or, in a text without spaces, at a character. */
function startNear(source: string, hit: number, {whole, cut, widthOf}: Lead): number {
  if (widthOf(source.slice(0, hit)) <= whole) return 0
  let early = hit
  while (early > 0 && widthOf(source.slice(early - 1, hit)) <= cut) early -= 1
  const gap = source.slice(early - 1, hit).search(/\s/)
  if (gap !== -1) return early + gap
  // not in the middle of a character of two units
  return /[\udc00-\udfff]/.test(source.charAt(early)) ? early + 1 : early
}

/** The neighbourhood of the first word of a query in a text, on one line, with the words marked. */
export function snippetOf(source: string, query: string, lead = textLead): SnippetPiece[] {
  const words = searchWords(query)
  const foldedText = foldText(source.slice(0, longestSource))
  const first = words.map((word) => foldedText.indexOf(word)).filter((at) => at !== -1)
  const start = Math.min(...first)
  const [hit] = first.length === 0 ? [] : originalRanges(source, [{start, end: start + 1}])
  const from = startNear(source, hit?.start ?? 0, lead)
  const near = cutText(source.slice(from), longest)
  const text = `${from > 0 ? '…' : ''}${near.replace(/\s+/g, ' ')}${from + longest < source.length ? '…' : ''}`
  const pieces: SnippetPiece[] = []
  let position = 0
  for (const range of rangesOf(text, words)) {
    // two words may be parts of one character
    if (range.start < position) continue
    if (range.start > position) pieces.push({text: text.slice(position, range.start), isHit: false})
    pieces.push({text: text.slice(range.start, range.end), isHit: true})
    position = range.end
  }
  if (position < text.length) pieces.push({text: text.slice(position), isHit: false})
  return pieces
}
