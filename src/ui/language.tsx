import type {ReactNode} from 'react'
import {IntlProvider, useIntl, type IntlShape, type MessageFormatElement} from 'react-intl'
import {type MessageId} from './message-id.ts'

/** A text, a number, a date, an element; for `<tag>…</tag>` a function of the tag's content. */
type Values = Record<string, ReactNode | Date | ((chunks: ReactNode[]) => ReactNode)>

/** The language of the interface: its tag, and its messages with their values filled in. */
type Language = {
  locale: string
  /**
   * A sentence, or a list of its parts if a value is an element. A missing message, or one whose values do not fit,
   * renders as its id.
   */
  format: (id: MessageId, values?: Values) => ReactNode
}

type LanguageProviderProps = {
  locale: string
  /** Message id → ICU syntax tree, compiled ahead of time (src/tools/locales.mjs). */
  messages: Record<string, MessageFormatElement[]>
  onError: (error: unknown) => void
  children: ReactNode
}

/** Provides a language to its children. A new `messages` object is a new language and renders everything again. */
export function LanguageProvider(props: LanguageProviderProps) {
  return <IntlProvider {...props} />
}

/** One for all components of a language: hundreds of them show text, and each would keep what its own hooks made. */
const languages = new WeakMap<IntlShape, Language>()

function languageOf(intl: IntlShape): Language {
  const stored = languages.get(intl)
  if (stored !== undefined) return stored
  const language: Language = {locale: intl.locale, format: (id, values) => intl.formatMessage({id}, values)}
  languages.set(intl, language)
  return language
}

/** Use `useText` (text.tsx) for text; this is for numbers, dates and sentences with elements. */
export function useLanguage(): Language {
  return languageOf(useIntl())
}
