/** `undefined` if the text is not JSON; JSON itself has no such value. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown // the caller narrows it
  } catch {
    return undefined
  }
}
