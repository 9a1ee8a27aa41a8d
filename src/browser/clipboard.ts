/** Before the async clipboard: a selected, invisible field and the copy command. Works on plain http too. */
const copyBySelection = (text: string, page: Document) => {
  const field = page.createElement('textarea')
  field.value = text
  field.readOnly = true
  field.setAttribute('aria-hidden', 'true')
  field.style.position = 'fixed'
  field.style.insetBlockStart = '0'
  field.style.opacity = '0'
  const focused = page.activeElement
  // A modal dialog makes everything outside it inert, and an inert field cannot be selected.
  const host = focused?.closest('dialog, [role="dialog"]') ?? page.body
  host.append(field)
  try {
    field.focus({preventScroll: true})
    field.select()
    return page.execCommand('copy')
  } finally {
    field.remove()
    if (focused instanceof HTMLElement) focused.focus({preventScroll: true})
  }
}

/**
 * Puts text on the clipboard. Call it from a click.
 * @param source has no `clipboard` on plain http
 * @returns whether it is there now; `false` when the browser refused
 */
export const copyText = async (
  text: string,
  source: {clipboard?: Pick<Clipboard, 'writeText'>} = navigator,
  page: Document = document,
): Promise<boolean> => {
  if (source.clipboard !== undefined) {
    try {
      await source.clipboard.writeText(text)
      return true
    } catch {
      // No permission or no focus: the older way may still work.
    }
  }
  return copyBySelection(text, page)
}
