import {afterEach, beforeEach, expect, test, vi} from 'vitest'
import {speak} from '#browser/speech.ts'

type Voice = Pick<SpeechSynthesisVoice, 'lang' | 'default'>
type Said = {text: string; lang: string; voice?: Voice}

/** A browser with these voices; `says`: whether its voice begins at all. */
function browserWith(voices: readonly Voice[], {says = true, knowsAtOnce = true} = {}) {
  const said: Said[] = []
  let known = knowsAtOnce ? voices : []
  const synthesis = Object.assign(new EventTarget(), {
    cancel: vi.fn(),
    getVoices: () => known,
    speak: (utterance: Said & {onstart: () => void; onend: () => void}) => {
      said.push({text: utterance.text, lang: utterance.lang, ...(utterance.voice && {voice: utterance.voice})})
      if (!says) return
      utterance.onstart()
      queueMicrotask(() => utterance.onend())
    },
  })
  vi.stubGlobal('speechSynthesis', synthesis)
  vi.stubGlobal(
    'SpeechSynthesisUtterance',
    class {
      constructor(readonly text: string) {}
    },
  )
  const learn = () => {
    known = voices
    synthesis.dispatchEvent(new Event('voiceschanged'))
  }
  return {said, synthesis, learn}
}
const english = {lang: 'en-GB', default: true}
const arabic = {lang: 'ar_SA', default: false}
const reading = () => new AbortController()

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('the voice of the language reads, whatever voice is the default', async () => {
  const {said} = browserWith([english, arabic])
  await speak('مرحبا', 'en', reading().signal)
  await speak('Hello', 'en', reading().signal)
  expect(said).toEqual([
    {text: 'مرحبا', lang: 'ar_SA', voice: arabic},
    {text: 'Hello', lang: 'en-GB', voice: english},
  ])
})

test('a browser without a voice for the language says so at once, and reads nothing', async () => {
  const {said} = browserWith([english])
  await expect(speak('Привет', 'en', reading().signal)).rejects.toThrow('no voice for ru')
  expect(said).toEqual([])
})

test('a line in another script is read by a voice of a language of that script, else by the voice of the text', async () => {
  const ukrainian = {lang: 'uk-UA', default: false}
  const {said} = browserWith([english, arabic, ukrainian])
  await speak('Hello is\nمرحبا\nПривет\nΓεια\nand that is all of it.', 'en', reading().signal)
  expect(said).toEqual([
    {text: 'Hello is', lang: 'en-GB', voice: english},
    {text: 'مرحبا', lang: 'ar_SA', voice: arabic},
    {text: 'Привет', lang: 'uk-UA', voice: ukrainian},
    {text: 'Γεια', lang: 'en-GB', voice: english},
    {text: 'and that is all of it.', lang: 'en-GB', voice: english},
  ])
})

test('an answer is read by a voice of its language, else by that of the page', async () => {
  const french = {lang: 'fr-FR', default: false}
  const answer = 'La Seine est un fleuve qui passe dans Paris.'
  const {said} = browserWith([english, french])
  await speak(answer, 'en', reading().signal)
  expect(said).toEqual([{text: answer, lang: 'fr-FR', voice: french}])
  const {said: saidWithout} = browserWith([english])
  await speak(answer, 'en', reading().signal)
  expect(saidWithout).toEqual([{text: answer, lang: 'en-GB', voice: english}])
})

test('voices that are known a moment later are waited for', async () => {
  const {said, learn} = browserWith([english, arabic], {knowsAtOnce: false})
  const done = speak('مرحبا', 'en', reading().signal)
  learn()
  await done
  expect(said.map(({voice}) => voice)).toEqual([arabic])
})

test('a voice that never begins is given up', async () => {
  const {synthesis} = browserWith([], {says: false})
  const done = expect(speak('Hello', 'en', reading().signal)).rejects.toThrow('does not begin')
  expect(synthesis.cancel).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(10_000)
  await done
  // one that would begin now has no button that stops it
  expect(synthesis.cancel).toHaveBeenCalledTimes(2)
})

test.each(['interrupted', 'canceled'])(
  'another reading replaces one, which ends there and did not fail (%s)',
  async (error) => {
    const {said, synthesis} = browserWith([english], {says: false})
    type Utterance = Said & {onstart: () => void; onerror: (event: {error: string}) => void}
    const utterances: Utterance[] = []
    synthesis.speak = (utterance) => {
      said.push({text: utterance.text, lang: utterance.lang})
      // as: the fake says no more of it than this test's readings need
      utterances.push(utterance as unknown as Utterance)
    }
    synthesis.cancel.mockImplementation(() => utterances.splice(0).forEach(({onerror}) => onerror({error})))
    const first = reading()
    const firstDone = speak(`Foo one. ${'Foo '.repeat(500)}`, 'en', first.signal)
    await vi.advanceTimersByTimeAsync(0)
    const second = reading()
    const secondDone = speak('Bar.', 'en', second.signal)
    await firstDone
    await vi.advanceTimersByTimeAsync(0)
    expect(said).toHaveLength(2)
    expect(said.at(-1)?.text).toBe('Bar.')
    // the one that has ended silences the other no more
    first.abort()
    expect(utterances).toHaveLength(1)
    second.abort()
    await secondDone
  },
)

test('it falls silent when it is stopped and when the page is left', async () => {
  const {synthesis} = browserWith([english], {says: false})
  const controller = reading()
  const done = speak('Hello', 'en', controller.signal).catch(() => undefined)
  dispatchEvent(new Event('pagehide'))
  expect(synthesis.cancel).toHaveBeenCalledTimes(2)
  controller.abort()
  expect(synthesis.cancel).toHaveBeenCalledTimes(3)
  dispatchEvent(new Event('pagehide'))
  expect(synthesis.cancel).toHaveBeenCalledTimes(3)
  await vi.advanceTimersByTimeAsync(10_000)
  await done
})
