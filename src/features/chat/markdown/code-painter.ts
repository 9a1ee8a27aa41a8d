import type {CodePiece} from './highlight.ts'
import {keepSelection, type SelectionKeeping} from './keep-selection.ts'
import styles from './long-text.module.css'
import {longText} from './long-text.tsx'
import {codePieces} from './text-pieces.ts'

/** Colours of the first lines of a code, which may have grown since. */
export type ColouredCode = {code: string; pieces: readonly CodePiece[]}

/** So many pieces are put on the page in one task. */
const piecesInTask = 2_000

const nodeOf = ({text, scope}: CodePiece): Node => {
  if (scope === undefined) return new Text(text)
  const span = document.createElement('span')
  span.dataset.scope = scope
  span.textContent = text
  return span
}

const shows = (node: Node, {text, scope}: CodePiece) =>
  node.textContent === text && (node instanceof HTMLElement ? node.dataset.scope : undefined) === scope

/** Nodes before the first difference stay as they are. */
function fill(part: HTMLElement, pieces: readonly CodePiece[]): void {
  let node = part.firstChild
  let same = 0
  for (let piece = pieces[0]; node !== null && piece !== undefined && shows(node, piece); piece = pieces[same]) {
    node = node.nextSibling
    same += 1
  }
  if (node === null && same === pieces.length) return
  while (part.childNodes.length > same) part.lastChild?.remove()
  part.append(...pieces.slice(same).map(nodeOf))
}

function appendText(part: HTMLElement, text: string): void {
  if (part.lastChild instanceof Text) part.lastChild.appendData(text)
  else if (text !== '') part.append(new Text(text))
}

/** Hands out coloured pieces from the start on, cut where a part ends. */
function cutter(pieces: readonly CodePiece[]) {
  let next = 0
  let usedLength = 0
  return (length: number): CodePiece[] => {
    const slice: CodePiece[] = []
    for (let missing = length; missing > 0;) {
      const piece = pieces[next]
      if (piece === undefined) break
      const text = piece.text.slice(usedLength, usedLength + missing)
      slice.push(text.length === piece.text.length ? piece : {text, scope: piece.scope})
      missing -= text.length
      usedLength += text.length
      if (usedLength < piece.text.length) continue
      next += 1
      usedLength = 0
    }
    return slice
  }
}

/** Code on the page, in parts of about forty lines. */
type PaintedCode = {
  root: HTMLElement | null
  code: string
  /** The offset at which each part begins. */
  starts: number[]
}

function partAt({root}: PaintedCode, index: number): HTMLElement | undefined {
  const part = root?.children[index]
  return part instanceof HTMLElement ? part : undefined
}

/** A part of a long code is not laid out while it is off the screen. */
const markLong = (part: Element) => {
  part.className = styles.block ?? ''
}

function appendPart(block: PaintedCode, text: string, start: number): void {
  const part = document.createElement('span')
  appendText(part, text)
  if (block.code.length > longText) markLong(part)
  block.root?.append(part)
  block.starts.push(start)
}

/**
 * Shows more of a code that begins as the one that is on the page.
 * @returns whether a part was cut elsewhere, and is plain therefore
 */
function grow(block: PaintedCode, code: string, keeping: SelectionKeeping): boolean {
  const {root, starts, code: codeBefore} = block
  const from = starts.at(-1) ?? 0
  const old = codeBefore.slice(from)
  block.code = code
  let at = from
  let isCut = false
  for (const [index, text] of codePieces(code.slice(from)).entries()) {
    const last = index === 0 ? partAt(block, starts.length - 1) : undefined
    if (last === undefined) appendPart(block, text, at)
    else if (text.startsWith(old)) appendText(last, text.slice(old.length))
    else {
      keepSelection(last, keeping, () => fill(last, [{text, scope: undefined}]))
      isCut = true
    }
    at += text.length
  }
  if (code.length > longText && codeBefore.length <= longText) for (const part of root?.children ?? []) markLong(part)
  return isCut
}

/**
 * Colours what is on the page, from the start on.
 * @returns paints some more parts, and says whether there are others
 */
function painting(block: PaintedCode, {code, pieces}: ColouredCode): () => boolean {
  const take = cutter(pieces)
  let index = 0
  return () => {
    for (let count = 0; count < piecesInTask; index += 1) {
      const part = partAt(block, index)
      const from = block.starts[index] ?? block.code.length
      if (part === undefined || from >= code.length) return false
      const text = block.code.slice(from, block.starts[index + 1])
      const colouredCode = take(Math.min(text.length, code.length - from))
      const plain = text.slice(code.length - from)
      count += colouredCode.length
      fill(part, from + text.length > code.length ? [...colouredCode, {text: plain, scope: undefined}] : colouredCode)
    }
    return true
  }
}

/**
 * Shows code that may grow. Its nodes are written by hand, since React would keep records
 * of each: they are most of what an answer has. Nodes of lines that stand are left alone, so that a selection in them
 * stays; lines behind the coloured ones are plain.
 */
type CodePainter = {
  /** The element to write to; `null` ends what is under way. */
  attach: (element: HTMLElement | null) => void
  show: (code: string, coloured: ColouredCode | undefined) => void
}

/** @param keeping of the message that has the code */
export function createCodePainter(keeping: SelectionKeeping): CodePainter {
  const block: PaintedCode = {root: null, code: '', starts: []}
  let colours: ColouredCode | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  const clear = () => {
    clearTimeout(timer)
    block.root?.replaceChildren()
    Object.assign(block, {code: '', starts: []})
    colours = undefined
  }
  const paint = (paintSome: () => boolean) => {
    if (block.root === null) return
    // once for all parts: the browser may lay the page out to tell what is selected
    const hasMore = keepSelection(block.root, keeping, paintSome)
    if (hasMore) timer = setTimeout(() => paint(paintSome), 0)
  }

  return {
    attach(element) {
      clear()
      block.root = element
    },
    show(code, colouredCode) {
      const next = colouredCode !== undefined && code.startsWith(colouredCode.code) ? colouredCode : undefined
      if (!code.startsWith(block.code) || (colours !== undefined && next === undefined)) clear()
      const isCut = code !== block.code && grow(block, code, keeping)
      if (next === undefined || (next === colours && !isCut)) return
      clearTimeout(timer)
      colours = next
      paint(painting(block, next))
    },
  }
}
