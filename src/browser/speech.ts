import {speechLanguage, speechPieces} from '#domain/speech-pieces.ts'

/** Whether this browser can read aloud. */
export const canSpeak = (): boolean => 'speechSynthesis' in window && 'SpeechSynthesisUtterance' in window

const speakPiece = (text: string, language: string) =>
  new Promise<void>((resolve, reject) => {
    const utterance = new SpeechSynthesisUtterance(text)
    utterance.lang = language
    utterance.onend = () => resolve()
    utterance.onerror = ({error}) => reject(new Error(`The voice of the browser failed: ${error}`))
    speechSynthesis.speak(utterance)
  })

/** Reads a text to its end; falls silent at once when `signal` aborts. Rejects when the browser has no voice for it. */
export async function speak(text: string, page: string, signal: AbortSignal): Promise<void> {
  const language = speechLanguage(text, page)
  // what another reading left behind would come first
  speechSynthesis.cancel()
  signal.addEventListener('abort', () => speechSynthesis.cancel(), {once: true})
  for (const piece of speechPieces(text, page)) {
    if (signal.aborted) return
    await speakPiece(piece, language)
  }
}
