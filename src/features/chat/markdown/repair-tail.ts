import {joinedFormulas} from './joined-formulas.ts'
import {mathAt, mayBecomeMath} from './math-rule.ts'
import {openRaisedTag, raisedTag} from './plain-tags.ts'

/*
 * The visible end of a growing block. Incomplete markup is closed for now (`**bold` is bold) or held back until it is
 * complete (`[text](https://…`), so that no marker flashes and the visible text only grows.
 */

/** Characters to wait for the end of a bracket, tag or formula; after that it is text. */
const patience = 400
/** A longer unfinished paragraph (in characters) is shown unrepaired. */
const longestRepair = 6_000

/** Lines that consist of the start of a marker only. */
const onlyMarkers = /^(?:[-*+>=_~`#|:.\s\\<$!\]]|\[[xX]?)*(?:\d{1,9}[.)]?\s*)?$/
const partialTask = /^\s*(?:[-*+]|\d{1,9}[.)])\s+\[[ xX]?\]?$/
const partialDefinition = /^ {0,3}\[[^\]]*\]:/
const delimiterRow = /^ {0,3}\|?[\s:|-]*$/

/** A row of a table, also in a list or a quotation. */
const tableRow = /^[ \t>]*\|/

function holdLines(raw: string): string {
  const lines = raw.split('\n')
  const last = lines.at(-1) ?? ''
  // a table row needs its line end, a table head the row of dashes below it
  if (tableRow.test(last)) lines.pop()
  else if (onlyMarkers.test(last) || partialTask.test(last) || partialDefinition.test(last)) lines.pop()
  if (lines.at(-1) === '') lines.pop()
  if (tableRow.test(lines.at(-1) ?? '') && !tableRow.test(lines.at(-2) ?? '')) lines.pop()
  const first = lines[0] ?? ''
  if (lines.length === 1 && raw.includes('\n') && first.includes('|') && delimiterRow.test(last) && last.includes('-'))
    return ''
  return lines.join('\n')
}

type Opener = {marker: string; at: number}
/**
 * `half`: start of a run of emphasis characters that the end of the text cuts. `cut`: start of other markup to hold
 * back.
 */
type Scan = {openers: Opener[]; cut: number | undefined; half: number | undefined; code: Opener | undefined}

const isWord = (character: string) => /[\p{L}\p{N}]/u.test(character)
const isSpace = (character: string) => character === '' || /\s/.test(character)

/** End of the run of equal characters that starts at `at`. */
function runEnd(text: string, at: number): number {
  let end = at
  while (text[end] === text[at]) end += 1
  return end
}

/** Position after the link or image at `at`, or -1 if the text ends inside it. */
function linkEnd(text: string, at: number): number {
  let depth = 0
  for (let index = at; index < text.length && index - at <= patience; index += 1) {
    const character = text[index]
    if (character === '\\') index += 1
    else if (character === '[') depth += 1
    else if (character === ']') {
      depth -= 1
      if (depth > 0) continue
      const next = text[index + 1]
      if (next === undefined) return -1
      if (next === '(') {
        const close = text.indexOf(')', index)
        return close === -1 && text.length - index <= patience * 5 ? -1 : index + 1
      }
      if (next === '[') return text.indexOf(']', index + 2) === -1 ? -1 : index + 1
      return index + 1
    }
  }
  return text.length - at > patience ? at + 1 : -1
}

function scanEmphasis(text: string, at: number, scan: Scan): number {
  const end = runEnd(text, at)
  const marker = text.slice(at, end)
  const before = text[at - 1] ?? ''
  const after = text[end] ?? ''
  const underscore = marker.startsWith('_')
  const canClose = !isSpace(before) && !(underscore && isWord(after))
  const canOpen = !isSpace(after) && !(underscore && isWord(before))
  let openLength = marker.length
  while (canClose && openLength > 0) {
    const open = scan.openers.findLastIndex(
      (opener) => opener.marker[0] === marker[0] && opener.marker.length <= openLength,
    )
    const opener = scan.openers[open]
    if (opener === undefined) break
    openLength -= opener.marker.length
    scan.openers.length = open
  }
  if (openLength > 0 && canOpen) {
    const sizes = openLength >= 3 && !marker.startsWith('~') ? [2, 1] : [Math.min(openLength, 2)]
    for (const size of sizes) scan.openers.push({marker: marker.slice(0, size), at})
  } else if (openLength > 0 && after === '' && !isSpace(before)) {
    // an incomplete closing run: `**bold*`
    scan.half ??= end - openLength
  } else if (openLength > 0 && after === '') {
    scan.half ??= at
  }
  return end
}

/** `waits`: the text is growing, so the scan stops at an unfinished link or formula. */
function scanInline(text: string, waits: boolean): Scan {
  const scan: Scan = {openers: [], cut: undefined, half: undefined, code: undefined}
  let at = 0
  while (at < text.length) {
    const character = text[at] ?? ''
    const rest = text.slice(at)
    if (character === '\\' && !/^\\[([]/.test(rest)) {
      if (at === text.length - 1) scan.cut ??= at
      at += 2
    } else if (character === '`') {
      const end = runEnd(text, at)
      const marker = text.slice(at, end)
      const close = findRun(text, end, marker)
      if (close === -1) {
        scan.code = {marker, at}
        return scan
      }
      at = close + marker.length
    } else if (character === '[') {
      const end = linkEnd(text, at)
      if (end === -1 && !waits) at += 1
      else if (end === -1) {
        scan.cut ??= text[at - 1] === '!' ? at - 1 : at
        return scan
      } else at = text[end] === '(' ? text.indexOf(')', end) + 1 || at + 1 : end
    } else if (character === '$' || character === '\\') {
      const formula = mathAt(rest, text[at - 1] ?? '')
      if (formula !== undefined) at += formula.raw.length
      else {
        const opening = character === '\\' || rest.startsWith('$$') ? rest.slice(0, 2) : '$'
        const mayEnd =
          opening === '$' ? !rest.slice(1).includes('$') && mayBecomeMath(rest.slice(1)) : rest.length <= patience
        if (waits && mayEnd) {
          scan.cut ??= at
          return scan
        }
        at += opening.length
      }
    } else if (character === '<') {
      if (waits && openRaisedTag.test(rest)) {
        scan.cut ??= at
        return scan
      }
      at += raisedTag.exec(rest)?.[0].length ?? 1
    } else if (character === '*' || character === '_' || character === '~') {
      at = scanEmphasis(text, at, scan)
    } else at += 1
  }
  return scan
}

/** Finds a run of exactly these backticks. */
function findRun(text: string, from: number, marker: string): number {
  let at = text.indexOf('`', from)
  while (at !== -1) {
    const end = runEnd(text, at)
    if (end - at === marker.length) return at
    at = text.indexOf('`', end)
  }
  return -1
}

/** Start of the inline text at the end of a block: the last item, quoted line or cell. */
function inlineStart(raw: string): number {
  const lastItem = [
    ...raw.matchAll(/^[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?|\n\s*\n|^[ \t]*>[ \t>]*|^#{1,6}[ \t]+/gm),
  ].at(-1)
  return lastItem === undefined ? 0 : lastItem.index + lastItem[0].length
}

/** Whether the text ends inside a fence within a list or a quotation. */
const isInsideFence = (raw: string) =>
  (raw.match(/^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(?:`{3,}|~{3,})/gm) ?? []).length % 2 === 1

/** The visible part of an unfinished block, with open markup closed. */
export function repairTail(raw: string): string {
  const heldLines = holdLines(joinedFormulas(raw, true))
  if (/^ {0,3}\|/.test(heldLines) || isInsideFence(heldLines)) return heldLines
  const start = inlineStart(heldLines)
  if (heldLines.length - start > longestRepair) return heldLines
  const head = heldLines.slice(0, start)
  let text = heldLines.slice(start).trimEnd()
  text = text
    .replace(/&#?\w{0,12}$/, '')
    .replace(/<(?:[a-zA-Z/!][^\s<>]{0,200}|br *\/)?$/i, '')
    .replace(/!$/, '')
  const scan = scanInline(text, true)
  return head + closeInline(text, scan, scan.cut ?? scan.half)
}

/** The end of a cut-off text, with open emphasis and code closed. Unlike a growing tail it holds nothing back. */
export function closeTail(raw: string): string {
  if (isInsideFence(raw)) return raw
  const begin = /^ {0,3}\|/.test(raw) ? raw.lastIndexOf('|') + 1 : inlineStart(raw)
  // in a very long paragraph only the end counts: markup open for longer was not meant as markup
  const start = Math.max(begin, raw.length - longestRepair)
  const text = raw.slice(start).trimEnd()
  const scan = scanInline(text, false)
  return raw.slice(0, start) + closeInline(text, scan, scan.half)
}

function closeInline(text: string, {code, openers}: Scan, end: number | undefined): string {
  if (code === undefined) return closeEmphasis(text, openers, end)
  const {marker, at} = code
  const content = text.slice(at + marker.length).replace(/(?<!`)`+$/, '')
  const shownText =
    content.trim() === ''
      ? text.slice(0, at)
      : `${text.slice(0, at)}${marker}${content}${content.endsWith('`') ? ' ' : ''}${marker}`
  return closeEmphasis(shownText, openers, undefined)
}

function closeEmphasis(text: string, openers: readonly Opener[], end: number | undefined): string {
  let shownText = (end === undefined ? text : text.slice(0, end)).trimEnd()
  const open = [...openers].filter(({at}) => at < shownText.length)
  while (open.length > 0) {
    const last = open.at(-1)
    if (last === undefined) break
    // no text after the opener yet
    if (shownText.slice(last.at).replace(/[*_~\s]/g, '') === '') {
      shownText = shownText.slice(0, last.at).trimEnd()
      open.length = open.findIndex(({at}) => at >= last.at)
      continue
    }
    shownText += last.marker
    open.pop()
  }
  return shownText
}
