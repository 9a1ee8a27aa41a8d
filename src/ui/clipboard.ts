/**
 * Copies text to the clipboard. `navigator.clipboard` is missing on plain http in a LAN; the fallback selects a hidden
 * field and copies it. Rejects when both fail.
 */
export async function writeClipboard(value: string): Promise<void> {
  // the DOM types declare it always; an insecure origin has none
  const clipboard = navigator.clipboard as Clipboard | undefined
  if (clipboard !== undefined) {
    try {
      await clipboard.writeText(value)
      return
    } catch {
      // refused without a prompt (an unfocused page, a policy): the fallback may still work
    }
  }
  const focusedElement = document.activeElement
  const field = document.createElement('textarea')
  field.value = value
  field.readOnly = true
  field.setAttribute('aria-hidden', 'true')
  field.style.position = 'fixed'
  field.style.insetBlockStart = '0'
  field.style.opacity = '0'
  // a modal dialog makes everything outside it inert, and an inert field cannot be selected
  const host = focusedElement?.closest('dialog, [role="dialog"]') ?? document.body
  host.append(field)
  field.focus({preventScroll: true})
  field.select()
  // deprecated, but the only way on an insecure origin
  const isCopied = document.execCommand('copy')
  field.remove()
  if (focusedElement instanceof HTMLElement) focusedElement.focus({preventScroll: true})
  if (!isCopied) throw new Error('The browser refused to copy')
}
