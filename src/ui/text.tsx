import {useLanguage} from './language.tsx'
import {type MessageId} from './message-id.ts'

export type {MessageId}
export type MessageValues = Record<string, string | number>
export type Text = (id: MessageId, values?: MessageValues) => string

/** Translates a message id into the user's language. Stable per language. */
export function useText(): Text {
  // as: a sentence without element values is one string
  return useLanguage().format as Text
}

/** Reading direction of the interface language. Of the 18 languages only Arabic runs from right to left. */
export function useDirection(): 'ltr' | 'rtl' {
  return useLanguage().locale.startsWith('ar') ? 'rtl' : 'ltr'
}
