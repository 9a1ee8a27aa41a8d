/** Frames in which a windowed list measures a new row at most; until then the row is hidden and takes no focus. */
const measuredWithin = 60

/** Gives the message of a row the focus, and marks it for a moment. Returns what gives the attempt up. */
export function pointOut(row: HTMLElement): () => void {
  const message = row.querySelector<HTMLElement>('article') ?? row
  message.tabIndex = -1
  let frame = 0
  const take = (frames: number) => {
    message.focus({preventScroll: true})
    if (document.activeElement === message) mark(row)
    else if (frames > 0) frame = requestAnimationFrame(() => take(frames - 1))
  }
  take(measuredWithin)
  return () => cancelAnimationFrame(frame)
}

/** A colour that fades: no movement, so it is shown whatever motion the user wants. */
function mark(row: HTMLElement): void {
  const marked = {
    backgroundColor: 'var(--accent-soft)',
    boxShadow: '0 0 0 8px var(--accent-soft)',
    borderRadius: 'var(--r-sm)',
  }
  row.animate([marked, {...marked, offset: 0.6}, {borderRadius: 'var(--r-sm)'}], 2_400)
}
