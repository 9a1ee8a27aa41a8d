/** A running report of the changes of rows. */
export type RowWatch = {
  /** Reports the changes that wait for their frame. */
  flush: () => void
  end: () => void
}

const rowOf = (node: Node) => (node instanceof Element ? node : node.parentElement)?.closest('[data-row]')

/**
 * Reports what changes in threads, or in one row, once a frame: the rows with new words; none where rows only come and
 * go.
 */
export function watchRows(elements: readonly Element[], report: (rows: ReadonlySet<Element>) => void): RowWatch {
  let rows: Set<Element> | undefined
  let frame = 0
  const note = (records: readonly MutationRecord[]) => {
    for (const {target} of records) {
      rows ??= new Set()
      const row = rowOf(target)
      if (row != null) rows.add(row)
    }
  }
  const flush = () => {
    note(observer.takeRecords())
    cancelAnimationFrame(frame)
    frame = 0
    if (rows === undefined) return
    const changedRows = rows
    rows = undefined
    report(changedRows)
  }
  const observer = new MutationObserver((records) => {
    note(records)
    if (frame === 0) frame = requestAnimationFrame(flush)
  })
  for (const element of elements) observer.observe(element, {childList: true, subtree: true, characterData: true})
  return {
    flush,
    end() {
      observer.disconnect()
      cancelAnimationFrame(frame)
    },
  }
}
