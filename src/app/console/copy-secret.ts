import {writeClipboard} from '#ui/clipboard.ts'

/**
 * Copies a text that is on its way. Called within a press: a browser may refuse what is written after it, so that the
 * clipboard gets the promise where it takes one. Rejects with the failure of the text, or when copying fails.
 */
export async function copySecret(secret: Promise<string>): Promise<void> {
  // the DOM types declare it always; an insecure origin has none
  const clipboard = navigator.clipboard as Clipboard | undefined
  if (clipboard !== undefined && typeof ClipboardItem !== 'undefined') {
    try {
      const item = secret.then((text) => new Blob([text], {type: 'text/plain'}))
      await clipboard.write([new ClipboardItem({'text/plain': item})])
      return
    } catch {
      // the promise or the clipboard itself: what follows tells them apart
    }
  }
  await writeClipboard(await secret)
}
