import {speechLanguages, speechPieces, spokenParts} from '#domain/speech-pieces.ts'

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

/** A voice of the first of these languages that the browser has one of. */
const firstVoice = (voices: readonly SpeechSynthesisVoice[], languages: readonly string[]) =>
  languages.map((language) => voiceOf(voices, language)).find((voice) => voice !== undefined)

/** Resolves at the end of the piece, also where another reading replaced it. */
const speakPiece = (text: string, language: string, voice: SpeechSynthesisVoice | undefined) =>
  new Promise<'read' | 'interrupted'>((resolve, reject) => {
    const utterance = new SpeechSynthesisUtterance(text)
    utterance.lang = voice?.lang ?? language
    if (voice !== undefined) utterance.voice = voice
    const deadline = setTimeout(() => {
      reject(new Error('The voice of the browser does not begin'))
      // else it may begin when there is no way to stop it
      speechSynthesis.cancel()
    }, startDelay)
    const begun = () => clearTimeout(deadline)
    utterance.onstart = begun
    utterance.onend = () => {
      begun()
      resolve('read')
    }
    utterance.onerror = ({error}) => {
      begun()
      if (error === 'interrupted' || error === 'canceled') return resolve('interrupted')
      reject(new Error(`The voice of the browser failed: ${error}`))
    }
    speechSynthesis.speak(utterance)
  })

/**
 * Reads a text to its end, or until another reading begins; falls silent at once when `signal` aborts or the page is
 * left. Rejects when the browser has no voice for its language. Lines in another language have a voice of their own where
 * the browser has one.
 */
export async function speak(text: string, page: string, signal: AbortSignal): Promise<void> {
  const languages = speechLanguages(text, page)
  const [language = page] = languages
  const silence = () => speechSynthesis.cancel()
  // what another reading left behind would come first
  silence()
  const end = new AbortController()
  signal.addEventListener('abort', silence, {signal: end.signal})
  addEventListener('pagehide', silence, {signal: AbortSignal.any([signal, end.signal])})
  try {
    const voices = await loadVoices()
    const voice = firstVoice(voices, languages)
    if (voices.length > 0 && voice === undefined) throw new Error(`The browser has no voice for ${language}`)
    const pieces = spokenParts(text, page).flatMap((part) => {
      const own = firstVoice(voices, part.languages) ?? voice
      const [first = language] = part.languages
      return speechPieces(part.text, page).map((piece) => ({piece, language: first, voice: own}))
    })
    for (const {piece, language: own, voice: ownVoice} of pieces) {
      if (signal.aborted) return
      if ((await speakPiece(piece, own, ownVoice)) === 'interrupted') return
    }
  } finally {
    end.abort()
  }
}
