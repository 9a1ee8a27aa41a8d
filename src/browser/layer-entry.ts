const mark = 'atriumLayer'

// as: what a page stores in an entry of its history is not typed
const isMarked = () => (history.state as Record<string, unknown> | null)?.[mark] === true

/**
 * Gives what covers the whole page an entry of the history, with the same address: Back leads out of it, on a phone and
 * beside a mouse (decision 86).
 * @returns the end of the layer, which takes the entry away when it is the current one
 */
export function openLayerEntry(onBack: () => void): () => void {
  // the page's own pushState would tell the router of a navigation; after a reload the entry is there
  // as: as above
  if (!isMarked()) History.prototype.pushState.call(history, {...(history.state as object | null), [mark]: true}, '')
  const look = () => {
    if (!isMarked()) onBack()
  }
  addEventListener('popstate', look)
  return () => {
    removeEventListener('popstate', look)
    if (isMarked()) history.back()
  }
}

/** Before a navigation from such a layer: the entry is left first, or Back would do nothing once. */
export async function leaveLayerEntry(): Promise<void> {
  if (!isMarked()) return
  await new Promise((resolve) => {
    addEventListener('popstate', resolve, {once: true})
    history.back()
  })
}
