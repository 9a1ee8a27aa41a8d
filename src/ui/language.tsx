import {createContext, useContext, useMemo, type ReactNode} from 'react'
import type {MessageFormatElement} from 'react-intl'
// the entry that makes a language and has no components: the first screen uses none of them
import {createIntl} from 'react-intl/server'
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
  /** Message id → ICU syntax tree, compiled ahead of time (src/tools/locales-plugin.mjs). */
  messages: Record<string, MessageFormatElement[]>
  onError: (error: unknown) => void
  children: ReactNode
}

const LanguageContext = createContext<Language | undefined>(undefined)

/**
 * Provides a language to its children, one for all of them: hundreds of components show text, and each would keep what its
 * own hooks made. A new `messages` object is a new language and renders everything again.
 */
export function LanguageProvider({locale, messages, onError, children}: LanguageProviderProps) {
  const language = useMemo((): Language => {
    const intl = createIntl({locale, messages, onError})
    return {locale: intl.locale, format: (id, values) => intl.formatMessage({id}, values)}
  }, [locale, messages, onError])
  return <LanguageContext value={language}>{children}</LanguageContext>
}

/** Use `useText` (text.tsx) for text; this is for numbers, dates and sentences with elements. */
export function useLanguage(): Language {
  const language = useContext(LanguageContext)
  if (language === undefined) throw new Error('There is no LanguageProvider around this component')
  return language
}
