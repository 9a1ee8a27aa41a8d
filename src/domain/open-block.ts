/*
 * Blocks of Markdown whose end is a line of its own: code in a fence, and HTML of the kinds that a blank line does not
 * end. One that a message leaves open takes in what follows the message.
 */

/** `width`: columns before the content of an item of a list; undefined for a quotation. */
type Container = {width: number | undefined}
type Block = {depth: number; ends: (line: string) => boolean; closing: string}
/** `isFree`: outside of code, HTML, lists and quotations. */
type Line = {text: string; end: string; isFree: boolean}

/** A text of marks alone is read once, not once for each of them. */
const deepest = 100
const isBreak = (line: string) => /^ {0,3}([-*_])(?: *\1){2,} *$/.test(line)
const quotation = /^ {0,3}> ?/
const item = /^( {0,3}(?:[-*+]|\d{1,9}[.)]))( +(?=\S)|$| +$)/

/** The beginnings and ends of HTML blocks (CommonMark, kinds 1 to 5). */
const htmlBlocks: [begin: RegExp, end: RegExp, closing: (begin: string) => string][] = [
  [
    /^ {0,3}<(?:script|pre|style|textarea)(?=[\s>]|$)/i,
    /<\/(?:script|pre|style|textarea)>/i,
    (begin) => `</${begin.trim().slice(1)}>`,
  ],
  [/^ {0,3}<!--/, /-->/, () => '-->'],
  [/^ {0,3}<\?/, /\?>/, () => '?>'],
  [/^ {0,3}<!\[CDATA\[/, /\]\]>/, () => ']]>'],
  [/^ {0,3}<![a-z]/i, />/, () => '>'],
]

function blockAt(line: string, depth: number): Block | undefined {
  const fence = /^ {0,3}(?:(`{3,})[^`]*$|(~{3,}))/.exec(line)
  const marker = fence?.[1] ?? fence?.[2]
  if (marker !== undefined) {
    const ends = (next: string) => {
      const [, run = ''] = /^ {0,3}(`{3,}|~{3,}) *$/.exec(next) ?? []
      return run.length >= marker.length && run[0] === marker[0]
    }
    return {depth, ends, closing: marker}
  }
  for (const [begin, end, closing] of htmlBlocks) {
    const beginning = begin.exec(line)?.[0]
    if (beginning === undefined) continue
    // it may end where it begins
    return end.test(line.slice(beginning.length))
      ? undefined
      : {depth, ends: (next) => end.test(next), closing: closing(beginning)}
  }
  return undefined
}

/** The rest of a line within the containers that are open, and how many of them hold it. */
function insideOf(containers: readonly Container[], line: string) {
  let rest = line
  let depth = 0
  for (const {width} of containers) {
    const start = width === undefined ? quotation.exec(rest)?.[0] : rest.trim() === '' ? '' : ' '.repeat(width)
    if (start === undefined || !rest.startsWith(start)) break
    rest = rest.slice(start.length)
    depth += 1
  }
  return {rest, depth}
}

/** Opens the containers that begin in this line, and returns what is in them. */
function openContainers(containers: Container[], line: string): string {
  let rest = line
  while (containers.length < deepest) {
    const quoted = quotation.exec(rest)?.[0]
    const [, marker, space = ''] = quoted === undefined && !isBreak(rest) ? (item.exec(rest) ?? []) : []
    if (quoted === undefined && marker === undefined) break
    // five spaces and more begin indented code
    const width = marker === undefined ? undefined : marker.length + (space.length > 4 ? 1 : Math.max(space.length, 1))
    containers.push({width})
    rest = rest.slice(width ?? quoted?.length)
  }
  return rest
}

const beginsBlock = (line: string) =>
  isBreak(line) || quotation.test(line) || item.test(line) || /^ {0,3}#/.test(line) || blockAt(line, 0) !== undefined

/** A text whose last block is closed by a line of its own. */
export function closed(markdown: string): string {
  const {closing} = readLines(markdown)
  return closing === undefined ? markdown : `${markdown}${/[\r\n]$/.test(markdown) ? '' : '\n'}${closing}`
}

/** The lines of a text, and the line that closes the block that is open at its end. */
export function readLines(markdown: string): {lines: Line[]; closing: string | undefined} {
  const pieces = markdown.split(/(\r\n|\n|\r)/)
  const lines: Line[] = []
  let containers: Container[] = []
  let block: Block | undefined
  let isParagraph = false
  for (let index = 0; index < pieces.length; index += 2) {
    const text = pieces[index] ?? ''
    const {rest, depth} = insideOf(containers, text.replaceAll('\t', '    '))
    if (block !== undefined && block.depth > depth) block = undefined
    let isFree = false
    if (block !== undefined) {
      if (block.ends(rest)) block = undefined
      isParagraph = false
    } else if (!(isParagraph && depth < containers.length && rest.trim() !== '' && !beginsBlock(rest))) {
      containers = containers.slice(0, depth)
      const content = openContainers(containers, rest)
      block = blockAt(content, containers.length)
      isFree = containers.length === 0 && block === undefined
      isParagraph = content.trim() !== '' && block === undefined
    }
    lines.push({text, end: pieces[index + 1] ?? '', isFree})
  }
  if (block === undefined) return {lines, closing: undefined}
  const prefix = containers.map(({width}) => (width === undefined ? '> ' : ' '.repeat(width))).join('')
  return {lines, closing: prefix + block.closing}
}
