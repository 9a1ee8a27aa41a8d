import {speechLanguage, speechPieces} from '#domain/speech-pieces.ts'

/** Whether this browser can read aloud. */
export const canSpeak = (): boolean => 'speechSynthesis' in window && 'SpeechSynthesisUtterance' in window

/** Milliseconds: some browsers know their voices only a moment after they are asked. */
const voicesDelay = 2_000
/** Milliseconds until a voice begins; without any, some browsers say nothing at all. */
const startDelay = 8_000

const loadVoices = () =>
  new Promise<readonly SpeechSynthesisVoice[]>((resolve) => {
    const voices = speechSynthesis.getVoices()
    if (voices.length > 0) return resolve(voices)
    const end = () => resolve(speechSynthesis.getVoices())
    speechSynthesis.addEventListener('voiceschanged', end, {once: true})
    setTimeout(end, voicesDelay)
  })

const tagOf = ({lang}: SpeechSynthesisVoice) => lang.replace('_', '-').toLowerCase()
const baseOf = (tag: string) => tag.split('-')[0]

/** A voice of the language, best of the same country; one that reads another language makes nonsense of the text. */
function voiceOf(voices: readonly SpeechSynthesisVoice[], language: string): SpeechSynthesisVoice | undefined {
  const wantedTag = language.toLowerCase()
  const same = voices.filter((voice) => baseOf(tagOf(voice)) === baseOf(wantedTag))
  return same.find((voice) => tagOf(voice) === wantedTag) ?? same.find((voice) => voice.default) ?? same[0]
}

const speakPiece = (text: string, language: string, voice: SpeechSynthesisVoice | undefined) =>
  new Promise<void>((resolve, reject) => {
    const utterance = new SpeechSynthesisUtterance(text)
    utterance.lang = voice?.lang ?? language
    if (voice !== undefined) utterance.voice = voice
    const deadline = setTimeout(() => reject(new Error('The voice of the browser does not begin')), startDelay)
    const begun = () => clearTimeout(deadline)
    utterance.onstart = begun
    utterance.onend = () => {
      begun()
      resolve()
    }
    utterance.onerror = ({error}) => {
      begun()
      reject(new Error(`The voice of the browser failed: ${error}`))
    }
    speechSynthesis.speak(utterance)
  })

/**
 * Reads a text to its end; falls silent at once when `signal` aborts or the page is left. Rejects when the browser has no voice for
 * its language.
 */
export async function speak(text: string, page: string, signal: AbortSignal): Promise<void> {
  const language = speechLanguage(text, page)
  const silence = () => speechSynthesis.cancel()
  // what another reading left behind would come first
  silence()
  signal.addEventListener('abort', silence, {once: true})
  const end = new AbortController()
  addEventListener('pagehide', silence, {signal: AbortSignal.any([signal, end.signal])})
  try {
    const voices = await loadVoices()
    const voice = voiceOf(voices, language)
    if (voices.length > 0 && voice === undefined) throw new Error(`The browser has no voice for ${language}`)
    for (const piece of speechPieces(text, page)) {
      if (signal.aborted) return
      await speakPiece(piece, language, voice)
    }
  } finally {
    end.abort()
  }
}
