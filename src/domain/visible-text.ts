import {replaceCode} from './code-spans.ts'
import {foldText} from './fold-text.ts'
import {withoutThoughts} from './without-thoughts.ts'

/*
 * The words of a Markdown text without its marks, for a search: a pass of patterns, since the lexer takes fifty times
 * as long and a search reads thousands of answers. Code stays as it is. Signs of other texts that only look like marks
 * are taken away: a search for them finds nothing.
 */

const thought = /<think>/i
/** A fence with its content, which has no marks; then one in a list or a quotation, whose end stands as deep as it may. */
const fences =
  /^ {0,3}(`{3,}(?=[^`\n]*$)|~{3,}(?!~))[^\n]*\n([\s\S]*?)(?:^ {0,3}\1[`~]*[ \t]*$|(?![\s\S]))|^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}(?=[^`\n]*$)|~{3,}(?!~))[^\n]*\n([\s\S]*?)(?:^[ \t>]*\3[`~]*[ \t]*$|(?![\s\S]))/gm

/** Stands for the code that comes back in its position; no text has it. */
const codeMark = '\u0000'
const codeMarks = /\u0000(\d+)\u0000/g

function withoutMarks(markdown: string): string {
  if (!markdown.includes('`')) return withoutSigns(markdown)
  const codes: string[] = []
  const text = replaceCode(withoutTableMarks(markdown.replaceAll(codeMark, '')), (code) => {
    codes.push(code)
    return `${codeMark}${codes.length - 1}${codeMark}`
  })
  const words = withoutSigns(text)
  return codes.length === 0 ? words : words.replace(codeMarks, (_, nth: string) => codes[Number(nth)] ?? '')
}

/** In a row of a table, code too writes `|` as `\|`. */
const withoutTableMarks = (text: string) =>
  text.includes('\\|') ? text.replace(/^[ \t]*\|.*/gm, (row) => row.replaceAll('\\|', '|')) : text

/** Images have no words in the text, links have theirs. */
const withoutLinks = (text: string) =>
  text
    .replace(/!\[[^\][\n]{0,400}\]\([^()\n]{0,2000}\)/g, '')
    .replace(/\[([^\][\n]{0,400})\]\([^()\n]{0,2000}\)/g, '$1')

/** Signs of emphasis and code. The second pattern looks at letters around each sign: most texts have none for it. */
function withoutEmphasis(text: string): string {
  if (!text.includes('_')) return text.replace(/(?<!\\)(?:\*+|~~|`+)/g, '')
  return text.replace(/(?<!\\)(?:\*+|~~|`+)|(?<![\p{L}\p{N}])_+|_{2,}|_(?![\p{L}\p{N}])/gu, '')
}

function withoutSigns(markdown: string): string {
  const lines = markdown
    // heads of items, quotations and headings; rules and lines of dashes below a table's head
    .replace(/^[ \t]*(?:(?:[-*+]|\d{1,9}[.)]|>|#{1,6})(?:[ \t]+(?:\[[ xX]\][ \t])?|$))+/gm, '')
    .replace(/^[|:\-*_= \t]{3,}$/gm, '')
  const words = withoutEmphasis((lines.includes('](') ? withoutLinks(lines) : lines).replaceAll('|', '\n'))
  return words.includes('\\') ? words.replace(/\\([!-/:-@[-`{-~])/g, '$1') : words
}

/** Words of an answer as they are shown; reasoning is no part of it. */
export function visibleText(markdown: string): string {
  const answer = thought.test(markdown) ? withoutThoughts(markdown) : markdown
  if (!answer.includes('```') && !answer.includes('~~~')) return withoutMarks(answer)
  let text = ''
  let from = 0
  for (const fence of answer.matchAll(fences)) {
    text += `${withoutMarks(answer.slice(from, fence.index))}\n${fence[2] ?? fence[4] ?? ''}\n`
    from = fence.index + fence[0].length
  }
  return text + withoutMarks(answer.slice(from))
}

/** Words between underscores; the end of a word is seen below. */
const underscored = /(?<![\p{L}\p{N}_])_+[\p{L}\p{N}][\p{L}\p{N}_]*/gu
const withoutUnderscores = (word: string) => word.replace(/^_+|(?<!_)_+$/g, '')

/**
 * Words of an answer for a search: as they are shown, and behind them those that were written between underscores, such
 * as `__init__`, which Markdown shows as a bold *init*.
 */
export function searchedText(markdown: string): string {
  const text = visibleText(markdown)
  if (!markdown.includes('_')) return text
  const words = new Set(markdown.match(underscored))
  const lostWords = [...words].filter(
    (word) => word.endsWith('_') && !text.includes(word) && text.includes(withoutUnderscores(word)),
  )
  return [text, ...lostWords].join('\n')
}

/** A query as a folded text shows it, which may have a word of it without its underscores. */
export const queryAsShown = (query: string, foldedText: string) =>
  query.replace(/(?<!\S)\S+/g, (word) => (foldedText.includes(foldText(word)) ? word : withoutUnderscores(word)))
