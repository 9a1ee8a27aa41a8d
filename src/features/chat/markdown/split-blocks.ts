import {ownBlock, ownCopy, toBlock, type Block, type OpenBlock} from './block-kinds.ts'
import {firstHeadingDepth} from './first-heading.ts'
import {endOfMath, mayBecomeEnvironment, openingOf} from './math-rule.ts'

/**
 * Splits growing Markdown into top-level blocks. The fold reads complete lines only and never goes back, so a streamed
 * text ends with the same blocks as the whole text, and each character is read a bounded number of times. The lexer
 * interprets the blocks (`lex-block.ts`).
 */
type Fold = {
  blocks: Block[]
  open: OpenBlock | undefined
  /** All reference definitions as Markdown: links anywhere in the text may use them. */
  definitions: string
  /** Depth of the first heading in `blocks`. */
  firstHeading: number | undefined
}

const fencePattern = /^( {0,3})(`{3,}|~{3,}(?!~))([^`]*)$/
const headingPattern = /^ {0,3}#{1,6}(?:[ \t]|$)/
const rulePattern = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/
const itemPattern = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)/
/** Markers that can interrupt a paragraph: a bullet or the number 1, with text. */
const interruptingItemPattern = /^ {0,3}(?:[-*+]|1[.)])[ \t]+\S/
/**
 * A reference definition in one line. Another line that begins with a label, as a footnote or a transcript does, is no
 * definition: it would be shown again below each block that the definitions are read with.
 */
const definitionPattern =
  /^ {0,3}\[(?!\s*\]|\^)(?:\\.|[^[\]\\])+\]:[ \t]*(?:<[^<>]*>|[^\s<]\S*)(?:[ \t]+(?:"[^"]*"|'[^']*'|\([^()]*\)))?[ \t]*$/
/** A footnote, `[^1]: The note.`, with its label and first line. */
const notePattern = /^ {0,3}\[\^([^\s[\]^`]{1,40})\]:[ \t]*((?:[^ \t].*)?)$/
const thoughtOpen = /^[ \t]*<think>/i
const thoughtClose = /<\/think>/i
/** A longer list (in characters) continues in a new block at its next top-level item. */
const longestList = 6_000

/** Depth of the first heading, also in what is still open. */
const firstHeadingIn = ({firstHeading, open}: Fold) =>
  firstHeading ?? (open?.kind === 'markdown' ? firstHeadingDepth(open.raw) : undefined)

function close(fold: Fold): void {
  fold.firstHeading = firstHeadingIn(fold)
  if (fold.open !== undefined && !(fold.open.kind === 'markdown' && fold.open.raw.trim() === '')) {
    fold.blocks.push(ownBlock(toBlock(fold.open, true)))
  }
  fold.open = undefined
}

function begin(fold: Fold, open: OpenBlock): void {
  close(fold)
  fold.open = open
}

const dedent = (line: string, indent: number) => line.replace(new RegExp(`^ {0,${indent}}`), '')

function continueCode(fold: Fold, open: Extract<OpenBlock, {kind: 'code'}>, line: string): void {
  const marker = open.fence[0] === '~' ? '~' : '`'
  const trimmedLine = line.trim()
  const isFence = trimmedLine.length >= open.fence.length && trimmedLine === marker.repeat(trimmedLine.length)
  if (isFence && /^ {0,3}\S/.test(line)) return close(fold)
  open.code += (open.started ? '\n' : '') + dedent(line, open.indent)
  open.started = true
}

function continueMath(fold: Fold, open: Extract<OpenBlock, {kind: 'math'}>, line: string): void {
  const mathEnd = endOfMath(open.close, open.count, line)
  if (!('end' in mathEnd)) {
    open.count = mathEnd.open
    open.tex += `${line}\n`
    return
  }
  const {end, after} = mathEnd
  open.tex += line.slice(0, end)
  close(fold)
  const rest = line.slice(after)
  if (rest.trim() !== '') addLine(fold, rest)
}

function continueThought(fold: Fold, open: Extract<OpenBlock, {kind: 'thought'}>, line: string): void {
  const end = thoughtClose.exec(line)
  if (end === null) {
    open.text += `${line}\n`
    return
  }
  open.text += line.slice(0, end.index)
  close(fold)
  const rest = line.slice(end.index + end[0].length)
  if (rest.trim() !== '') addLine(fold, rest.trimStart())
}

/** Opens a display formula if the line starts with one; a line with text after the formula is ordinary text. */
function beginMath(fold: Fold, line: string): boolean {
  const delimiters = openingOf(line)
  if (delimiters === undefined) return false
  const {opening, close: closing} = delimiters
  const tex = opening.startsWith('\\begin') ? opening : ''
  const rest = line.trimStart().slice(opening.length)
  const mathEnd = endOfMath(closing, 1, rest)
  if ('end' in mathEnd && rest.slice(mathEnd.after).trim() !== '') return false
  const firstLine = tex === '' && rest.trim() === '' ? '' : `${rest}\n`
  const text = 'end' in mathEnd ? rest.slice(0, mathEnd.end) : firstLine
  begin(fold, {kind: 'math', close: closing, count: mathEnd.open, tex: tex + text})
  if ('end' in mathEnd) close(fold)
  return true
}

/** Blocks that begin wherever their first line is; inside a list only at its left edge. */
function beginsOwnBlock(fold: Fold, line: string, inList: boolean): boolean {
  if (inList && /^[ \t]/.test(line)) return false
  const fence = fencePattern.exec(line)
  if (fence !== null) {
    const [, indent = '', marker = '', info = ''] = fence
    begin(fold, {kind: 'code', fence: marker, indent: indent.length, info: info.trim(), code: '', started: false})
    return true
  }
  if (beginMath(fold, line)) return true
  const [note, label = '', firstLine = ''] = notePattern.exec(line) ?? []
  if (note !== undefined) {
    begin(fold, {kind: 'note', label, text: `${firstLine}\n`, afterBlank: false})
    return true
  }
  const thoughtTag = thoughtOpen.exec(line)
  if (thoughtTag !== null) {
    begin(fold, {kind: 'thought', text: ''})
    const rest = line.slice(thoughtTag[0].length)
    if (rest !== '') addLine(fold, rest)
    return true
  }
  if (headingPattern.test(line)) {
    begin(fold, {kind: 'markdown', raw: `${line}\n`, shape: 'other', afterBlank: false})
    close(fold)
    return true
  }
  return false
}

/** A line that is set in below a footnote belongs to it, as does a line directly below that begins nothing else. */
function continueNote(fold: Fold, open: Extract<OpenBlock, {kind: 'note'}>, line: string): void {
  const isSetIn = /^(?: {2,}|\t)/.test(line)
  const isBlank = line.trim() === ''
  const isOther = !isBlank && !isSetIn && (open.afterBlank || itemPattern.test(line) || rulePattern.test(line))
  if (isOther) {
    close(fold)
    return addLine(fold, line)
  }
  open.text += isBlank ? '\n' : `${line.replace(/^(?: {1,4}|\t)/, '')}\n`
  open.afterBlank = isBlank
}

function continueMarkdown(fold: Fold, open: Extract<OpenBlock, {kind: 'markdown'}>, line: string): void {
  const blank = line.trim() === ''
  if (open.shape === 'other') {
    if (blank) return close(fold)
    if (interruptingItemPattern.test(line) && !rulePattern.test(line) && !open.raw.startsWith('<')) {
      return begin(fold, {kind: 'markdown', raw: `${line}\n`, shape: 'list', afterBlank: false})
    }
    open.raw += `${line}\n`
    return
  }
  if (blank) {
    open.raw += '\n'
    open.afterBlank = true
    return
  }
  const isItem = itemPattern.test(line) && !rulePattern.test(line)
  const leaves = open.afterBlank && !isItem && !/^(?: {2,}|\t)/.test(line)
  const grewLong = isItem && !line.startsWith(' ') && open.raw.length > longestList
  if (leaves || grewLong || (rulePattern.test(line) && !line.startsWith(' '))) {
    close(fold)
    return addLine(fold, line)
  }
  open.raw += `${line}\n`
  open.afterBlank = false
}

function addLine(fold: Fold, line: string): void {
  const {open} = fold
  if (open?.kind === 'code') return continueCode(fold, open, line)
  if (open?.kind === 'math') return continueMath(fold, open, line)
  if (open?.kind === 'thought') return continueThought(fold, open, line)
  const isNote = open?.kind === 'note'
  if (beginsOwnBlock(fold, line, isNote || open?.shape === 'list')) return
  if (isNote) return continueNote(fold, open, line)
  if (definitionPattern.test(line)) fold.definitions += `${line.trim()}\n`
  if (open !== undefined) return continueMarkdown(fold, open, line)
  if (line.trim() === '') return
  const shape = itemPattern.test(line) && !rulePattern.test(line) ? 'list' : 'other'
  fold.open = {kind: 'markdown', raw: `${line}\n`, shape, afterBlank: false}
}

export type SplitText = {
  /** Blocks that later text cannot change. */
  settled: readonly Block[]
  /** Current form of the unfinished end: no, one, or a few blocks. */
  tail: readonly Block[]
  definitions: string
  firstHeading: number | undefined
}

export type BlockReader = {
  /**
   * Splits a text; cheap if it continues the text of the previous call. While `growing`, a last line that may become a
   * fence or a tag is held back.
   */
  read: (text: string, growing: boolean) => SplitText
  /** Number of characters read so far: a measure of the work. */
  work: () => number
}

const emptyFold = (): Fold => ({blocks: [], open: undefined, definitions: '', firstHeading: undefined})

/** Whether an incomplete last line may become a marker that this block would hide. */
function isHeldLine(open: OpenBlock | undefined, line: string): boolean {
  const trimmedLine = line.trim()
  if (open?.kind === 'code') {
    const marker = open.fence[0] ?? '`'
    return trimmedLine !== '' && trimmedLine === marker.repeat(trimmedLine.length)
  }
  if (open?.kind === 'thought' || open?.kind === 'math') return false
  return trimmedLine !== '' && ('<think>'.startsWith(trimmedLine.toLowerCase()) || mayBecomeEnvironment(line))
}

/** The end's blocks while its last line is incomplete. */
function previewTail(fold: Fold, line: string, growing: boolean): Fold {
  const preview: Fold = {...fold, blocks: [], open: fold.open && {...fold.open}}
  if (growing && isHeldLine(preview.open, line)) return preview
  const heldLines =
    growing && (preview.open?.kind === 'thought' || thoughtOpen.test(line))
      ? line.replace(/<(?:\/(?:t(?:h(?:i(?:n(?:k)?)?)?)?)?)?$/i, '')
      : line
  addLine(preview, heldLines)
  const {open} = preview
  // remove the line break that folding added
  if (open?.kind === 'markdown') open.raw = open.raw.replace(/\n$/, '')
  if (open?.kind === 'thought' || open?.kind === 'note') open.text = open.text.replace(/\n$/, '')
  // the name of the language is still incomplete
  if (growing && open?.kind === 'code' && fold.open?.kind !== 'code') open.info = ''
  return preview
}

/** A reader for one growing text. A text that does not continue the previous one is read from its start. */
export function createBlockReader(): BlockReader {
  let fold = emptyFold()
  let consumedText = ''
  let work = 0

  return {
    work: () => work,
    read(text, growing) {
      if (!text.startsWith(consumedText)) {
        fold = emptyFold()
        consumedText = ''
      }
      const end = text.lastIndexOf('\n') + 1
      if (end > consumedText.length) {
        const lines = ownCopy(text.slice(consumedText.length, end)).replaceAll('\r\n', '\n').split('\n')
        lines.pop()
        for (const line of lines) addLine(fold, line)
        work += end - consumedText.length
        consumedText = text.slice(0, end)
      }
      const rest = ownCopy(text.slice(end))
      work += rest.length
      const preview = rest === '' ? {...fold, blocks: []} : previewTail(fold, rest, growing)
      const tail = preview.open === undefined ? preview.blocks : [...preview.blocks, toBlock(preview.open, false)]
      // the address of one that is still written is not yet its own
      const {definitions} = growing ? fold : preview
      return {settled: [...fold.blocks], tail, definitions, firstHeading: firstHeadingIn(preview)}
    },
  }
}
