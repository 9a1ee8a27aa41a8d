type Place = {node: Node; offset: number}

/** Characters of `part` before a place in it; `undefined` for a place elsewhere. */
function lengthBefore(part: HTMLElement, node: Node | null, offset: number): number | undefined {
  if (node === null || !part.contains(node)) return undefined
  const range = document.createRange()
  range.setStart(part, 0)
  range.setEnd(node, offset)
  return range.toString().length
}

function placeAt(part: HTMLElement, length: number): Place {
  const texts = document.createTreeWalker(part, NodeFilter.SHOW_TEXT)
  let before = 0
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    const own = node.textContent?.length ?? 0
    if (length <= before + own) return {node, offset: length - before}
    before += own
  }
  return {node: part, offset: part.childNodes.length}
}

/** Replaces nodes of an element whose text stays: what is selected in it stays selected. */
export function keepSelection<T>(part: HTMLElement, replace: () => T): T {
  const selection = document.getSelection()
  if (selection === null || selection.isCollapsed) return replace()
  const {anchorNode, anchorOffset, focusNode, focusOffset} = selection
  const anchor = lengthBefore(part, anchorNode, anchorOffset)
  const focus = lengthBefore(part, focusNode, focusOffset)
  const result = replace()
  if (anchorNode === null || focusNode === null || (anchor ?? focus) === undefined) return result
  const start = anchor === undefined ? {node: anchorNode, offset: anchorOffset} : placeAt(part, anchor)
  const end = focus === undefined ? {node: focusNode, offset: focusOffset} : placeAt(part, focus)
  selection.setBaseAndExtent(start.node, start.offset, end.node, end.offset)
  return result
}
