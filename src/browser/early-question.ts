/** The text that was typed into the page before the app was there. `isAsked`: Enter was pressed. */
export type EarlyQuestion = {text: string; isFocused: boolean; isAsked: boolean}

/** Takes the field of the first paint (index.html) out of the page, once. */
export function takeEarlyQuestion(): EarlyQuestion | undefined {
  const field = document.getElementById('early-question')
  if (!(field instanceof HTMLTextAreaElement)) return undefined
  const question = {
    text: field.value,
    isFocused: document.activeElement === field,
    isAsked: field.dataset['asked'] !== undefined && field.value.trim() !== '',
  }
  field.parentElement?.remove()
  return question
}
