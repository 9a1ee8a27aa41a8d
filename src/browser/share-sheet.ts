type ShareContent = {title: string; url: string}

/** Whether this browser offers a sheet to share links. */
export const canShare = (): boolean => typeof navigator.share === 'function'

/** Opens the sheet. Resolves also when the user closes it; rejects where sharing did not work. */
export async function shareLink(content: ShareContent): Promise<void> {
  try {
    await navigator.share(content)
  } catch (reason) {
    if (!(reason instanceof DOMException && reason.name === 'AbortError')) throw reason
  }
}
