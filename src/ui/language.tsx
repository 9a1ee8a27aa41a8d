import {createContext, useContext, useMemo, type ReactNode} from 'react'
import {createMessageFormat, type CompiledMessages, type MessageParts} from './message-format.ts'
import {type MessageId} from './message-id.ts'

/** The language of the interface: its tag, and its messages with their values filled in. */
type Language = {
  locale: string
  format: (id: MessageId, values?: MessageParts) => ReactNode
}

type LanguageProviderProps = {
  locale: string
  messages: CompiledMessages
  onError: (error: unknown) => void
  children: ReactNode
}

const LanguageContext = createContext<Language | undefined>(undefined)

/**
 * Provides a language to its children, one for all of them: hundreds of components show text, and each would keep what
 * its own hooks made. A new `messages` object is a new language and renders everything again.
 */
export function LanguageProvider({locale, messages, onError, children}: LanguageProviderProps) {
  const language = useMemo(
    (): Language => ({locale, format: createMessageFormat({locale, messages, onError})}),
    [locale, messages, onError],
  )
  return <LanguageContext value={language}>{children}</LanguageContext>
}

/** Use `useText` (text.tsx) for text; this is for numbers, dates and sentences with elements. */
export function useLanguage(): Language {
  const language = useContext(LanguageContext)
  if (language === undefined) throw new Error('There is no LanguageProvider')
  return language
}
