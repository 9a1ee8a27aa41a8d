type Position = {node: Node; offset: number}
/** One end of what is selected: where it is, and after how many characters of which element. */
type End = Position & {part: HTMLElement | undefined; length: number}
type WordSelection = {anchor: End; focus: End}

/** Characters of `part` before a position in it. */
function lengthBefore(part: HTMLElement, {node, offset}: Position): number {
  const range = document.createRange()
  range.setStart(part, 0)
  range.setEnd(node, offset)
  return range.toString().length
}

/** Between two texts at the end of the first, or in front of the second. */
function positionAt(part: HTMLElement, length: number, isInFront: boolean): Position {
  const texts = document.createTreeWalker(part, NodeFilter.SHOW_TEXT)
  let before = 0
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    const own = node.textContent?.length ?? 0
    if (length < before + own || (length === before + own && !isInFront)) return {node, offset: length - before}
    before += own
  }
  return {node: part, offset: part.childNodes.length}
}

/** The selection; its ends are counted in the element that `partOf` names for them. */
function selectedIn(partOf: (node: Node) => HTMLElement | undefined): WordSelection | undefined {
  const selection = document.getSelection()
  if (selection === null || selection.isCollapsed) return undefined
  const {anchorNode, anchorOffset, focusNode, focusOffset} = selection
  if (anchorNode === null || focusNode === null) return undefined
  const end = (position: Position): End => {
    const part = partOf(position.node)
    return {...position, part, length: part === undefined ? 0 : lengthBefore(part, position)}
  }
  return {
    anchor: end({node: anchorNode, offset: anchorOffset}),
    focus: end({node: focusNode, offset: focusOffset}),
  }
}

/** The selection, counted in the words of its messages. */
const selectedWords = (): WordSelection | undefined =>
  selectedIn((node) => {
    const element = node instanceof Element ? node : node.parentElement
    return element?.closest<HTMLElement>('[data-words]') ?? undefined
  })

/** Selects it again where its nodes have changed; the text before it has stayed. */
function selectAgain({anchor, focus}: WordSelection): void {
  const selection = document.getSelection()
  const hasStayed =
    selection?.anchorNode === anchor.node &&
    selection.anchorOffset === anchor.offset &&
    selection.focusNode === focus.node &&
    selection.focusOffset === focus.offset
  if (hasStayed) return
  const positionOf = (end: End): Position =>
    end.part === undefined ? end : positionAt(end.part, end.length, end.offset === 0)
  const [start, end] = [positionOf(anchor), positionOf(focus)]
  selection?.setBaseAndExtent(start.node, start.offset, end.node, end.offset)
}

/** A message tells what is in it whether it keeps all that is selected in the page at the moment. */
export type SelectionKeeping = {isAllKept: boolean}

/** Keeps all that is selected from now on, until `selectAllAgain`. */
export function keepAllSelected(keeping: SelectionKeeping): WordSelection | undefined {
  const selection = selectedWords()
  keeping.isAllKept = true
  return selection
}

export function selectAllAgain(keeping: SelectionKeeping, selection: WordSelection | undefined): void {
  keeping.isAllKept = false
  if (selection !== undefined) selectAgain(selection)
}

/**
 * Replaces nodes of an element whose text stays: what is selected in it stays selected. While a message grows, that is
 * the work of the message: to say what is selected, the browser would lay out words of which more are to come.
 */
export function keepSelection<T>(part: HTMLElement, {isAllKept}: SelectionKeeping, replace: () => T): T {
  if (isAllKept) return replace()
  const partSelection = selectedIn((node) => (part.contains(node) ? part : undefined))
  const result = replace()
  if (partSelection?.anchor.part !== undefined || partSelection?.focus.part !== undefined) selectAgain(partSelection)
  return result
}
