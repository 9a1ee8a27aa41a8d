/**
 * Puts text on the clipboard. On plain http in a LAN `navigator.clipboard` is missing: then a hidden field is selected
 * and copied the old way. Rejects when the browser refuses both.
 */
export async function writeClipboard(value: string): Promise<void> {
  // the type says it is always there; on an insecure origin it is not
  const clipboard = navigator.clipboard as Clipboard | undefined
  if (clipboard !== undefined) {
    try {
      await clipboard.writeText(value)
      return
    } catch {
      // refused without a permission prompt (an unfocused page, a policy): the second way may still work
    }
  }
  const focused = document.activeElement
  const field = document.createElement('textarea')
  field.value = value
  field.readOnly = true
  field.setAttribute('aria-hidden', 'true')
  field.style.position = 'fixed'
  field.style.insetBlockStart = '0'
  field.style.opacity = '0'
  // a modal dialog makes everything outside it inert, and an inert field cannot be selected
  const host = focused?.closest('dialog, [role="dialog"]') ?? document.body
  host.append(field)
  field.focus({preventScroll: true})
  field.select()
  // deprecated, and the only way there is on an insecure origin
  const copied = document.execCommand('copy')
  field.remove()
  if (focused instanceof HTMLElement) focused.focus({preventScroll: true})
  if (!copied) throw new Error('The browser refused to copy')
}
