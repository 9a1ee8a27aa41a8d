import {withoutThoughts} from './without-thoughts.ts'

/*
 * The words of a Markdown text without its marks, for a search: a pass of patterns, since the lexer takes fifty times
 * as long and a search reads thousands of answers. What it takes for a mark in rare texts moves a count, nothing else.
 */

const thought = /<think>/i
/** A fence with its content, which has no marks. */
const fences = /^ {0,3}(`{3,}(?!`)|~{3,}(?!~))[^\n]*\n([\s\S]*?)(?:^ {0,3}\1[`~]*[ \t]*$|(?![\s\S]))/gm

const withoutMarks = (text: string) =>
  text
    // heads of items, quotations and headings; rules and lines of dashes below a table's head
    .replace(/^[ \t]*(?:(?:[-*+]|\d{1,9}[.)]|>|#{1,6})(?:[ \t]+(?:\[[ xX]\][ \t])?|$))+/gm, '')
    .replace(/^[|:\-*_= \t]{3,}$/gm, '')
    // images have no words in the text, links have theirs
    .replace(/!\[[^\][\n]{0,400}\]\([^()\n]{0,2000}\)/g, '')
    .replace(/\[([^\][\n]{0,400})\]\([^()\n]{0,2000}\)/g, '$1')
    .replaceAll('|', '\n')
    .replace(/(?<!\\)(?:\*+|~~|`+)|(?<![\p{L}\p{N}])_+|_{2,}|_(?![\p{L}\p{N}])/gu, '')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')

/** Words of an answer as they are shown; reasoning is no part of it. */
export function visibleText(markdown: string): string {
  const answer = thought.test(markdown) ? withoutThoughts(markdown) : markdown
  let text = ''
  let from = 0
  for (const fence of answer.matchAll(fences)) {
    text += `${withoutMarks(answer.slice(from, fence.index))}\n${fence[2] ?? ''}\n`
    from = fence.index + fence[0].length
  }
  return text + withoutMarks(answer.slice(from))
}
