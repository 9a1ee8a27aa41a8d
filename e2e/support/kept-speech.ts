import type {Page} from '@playwright/test'

/**
 * Speech of a browser with an English voice that keeps what it was given to read; `speechEnds` and `speechBreaks` end
 * what is read now. From the next load of the page on.
 */
export const keepSpeech = (page: Page) =>
  page.addInitScript(() => {
    const read: string[] = []
    let now: SpeechSynthesisUtterance | undefined
    const end = (error?: 'interrupted' | 'synthesis-failed') => {
      const ended = now
      now = undefined
      // as: an event of speech cannot be made by a page
      if (error === undefined) ended?.onend?.(new Event('end') as SpeechSynthesisEvent)
      else ended?.onerror?.(Object.assign(new Event('error'), {error}) as SpeechSynthesisErrorEvent)
    }
    Object.assign(window, {
      speechRead: read,
      speechNow: () => now?.text,
      speechEnds: () => end(),
      speechBreaks: () => end('synthesis-failed'),
      SpeechSynthesisUtterance: class {
        lang = ''
        constructor(readonly text: string) {}
      },
    })
    Object.defineProperty(window, 'speechSynthesis', {
      value: {
        getVoices: () => [{lang: 'en', default: true}],
        cancel: () => end('interrupted'),
        speak: (utterance: SpeechSynthesisUtterance) => {
          read.push(`${utterance.lang}: ${utterance.text}`)
          now = utterance
          // as: an event of speech cannot be made by a page
          utterance.onstart?.(new Event('start') as SpeechSynthesisEvent)
        },
      },
    })
  })

declare global {
  interface Window {
    speechRead: string[]
    speechNow: () => string | undefined
    speechEnds: () => void
    speechBreaks: () => void
  }
}
