/** An event of a folded text: something leads to words in it. The browser's own unfolding has the same name. */
export const foldOpening = 'beforematch'

const foldSelector = '[data-folded]'

/** Opens the folded text of a row. */
export function unfoldRow(row: Element): void {
  row.querySelector(foldSelector)?.dispatchEvent(new Event(foldOpening))
}

/** Opens the folded text that hides a match; the lines that are shown hide none. */
export function unfoldMatch(match: Range): void {
  const fold = match.startContainer.parentElement?.closest(foldSelector)
  if (fold == null || match.getBoundingClientRect().bottom <= fold.getBoundingClientRect().bottom - faded) return
  fold.dispatchEvent(new Event(foldOpening))
}

/** Height of the lines that fade, in CSS pixels. */
const faded = 48
