import {findClose, longestFormula} from './math-rule.ts'

const inListOrQuotation = /^ {0,3}(?:>|(?:[-*+]|\d{1,9}[.)])[ \t])/
/** Marks of quotations and items before the text of a line. */
const marks = /^(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t])))*[ \t]*/
/** The indent of an item. */
const item = /^[ \t]*(?=(?:[-*+]|\d{1,9}[.)])[ \t])/
const fence = /^(?:`{3,}(?=[^`]*$)|~{3,})/
const closingFence = /^[ \t>]*(`{3,}|~{3,})[ \t]*$/

/** Characters of a growing text to wait for the end of a formula. */
const patience = 1_000

/** `indent`: of the text that it stands in, within its quotations. */
type Opening = {at: number; close: string; quotations: number; indent: number}

const withoutQuotations = (line: string, most: number) =>
  most === 0 ? line : line.replace(new RegExp(`^(?:[ \\t]*>){0,${most}}`), '')
const comment = /(?<![\\%])%.*$/
const texOf = (line: string) => line.replace(comment, '').trimEnd()

/** The opening of a display formula that does not end in its line: at the beginning of its text, or as its end. */
function openingIn(line: string): Opening | undefined {
  const prefix = marks.exec(line)?.[0] ?? ''
  const text = line.slice(prefix.length)
  const [, before = '', opening] = /^((?:[^`$]*[ \t])?)(\$\$|\\\[)/.exec(text) ?? []
  if (opening === undefined) return undefined
  const from = before.length + 2
  if (before !== '' && text.slice(from).trim() !== '') return undefined
  const close = opening === '$$' ? '$$' : '\\]'
  if (findClose(text, from, close) !== -1) return undefined
  const quotations = prefix.split('>').length - 1
  return {at: prefix.length + before.length, close, quotations, indent: withoutQuotations(prefix, quotations).length}
}

const otherOpening = /(?:^|[^\\])\\\[/

/**
 * The line in which a formula ends, if it is not too long, and neither another one nor an item to the left of its text
 * begins before. So the work for all openings grows with the text alone.
 */
function endOf(lines: readonly string[], first: number, {at, close, quotations, indent}: Opening): number {
  let length = -at
  for (let index = first; length <= longestFormula; index += 1) {
    const line = lines[index]
    if (line === undefined) return -1
    const [itemIndent] = index === first ? [] : (item.exec(withoutQuotations(line, quotations)) ?? [])
    if (itemIndent !== undefined && itemIndent.length < indent) return -1
    if (index > first && findClose(line, 0, close) !== -1) return index
    if (index > first && close === '\\]' && otherOpening.test(line)) return -1
    length += line.length + 1
  }
  return -1
}

/** The fence of the code that goes on after this line, of that which `open` began or of another. */
function openFence(line: string, open: string | undefined): string | undefined {
  if (open === undefined) return fence.exec(line.replace(marks, ''))?.[0]
  return closingFence.exec(line)?.[1]?.startsWith(open) === true ? undefined : open
}

/** The length of the text from this line on, or a longer one than what is waited for. */
function lengthFrom(lines: readonly string[], first: number): number {
  let length = -1
  for (let index = first; index < lines.length && length <= patience * 2; index += 1)
    length += (lines[index] ?? '').length + 1
  return length
}

/**
 * A list or quotation with each display formula in one line: a line of a formula that begins with `+`, `-` or `>` would
 * be an item or a quotation, and an empty one ends a paragraph. While the text `grows`, a formula that has no end yet
 * is left out, as long as it may still have one.
 */
export function joinedFormulas(raw: string, grows = false): string {
  if (!/\$\$|\\\[/.test(raw) || !inListOrQuotation.test(raw)) return raw
  const lines = raw.split('\n')
  const output: string[] = []
  let code: string | undefined
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? ''
    code = openFence(line, code)
    const opening = code !== undefined ? undefined : openingIn(line)
    const end = opening && endOf(lines, index, opening)
    if (opening === undefined || end === undefined) {
      output.push(line)
      continue
    }
    if (end !== -1) {
      const others = lines
        .slice(index + 1, end + 1)
        .map((each) => texOf(withoutQuotations(each, opening.quotations)).trimStart())
      output.push([texOf(line), ...others].filter((each) => each.trim() !== '').join(' '))
      index = end
    } else if (grows && lengthFrom(lines, index) - opening.at <= patience) {
      output.push(line.slice(0, opening.at))
      break
    } else output.push(line)
  }
  return output.join('\n')
}
