import {useMemo, type ReactNode} from 'react'
import {IntlProvider, useIntl, type MessageFormatElement} from 'react-intl'
import {type MessageId} from './message-id.ts'

/** A text, a number, a day, an element; for `<tag>…</tag>` a function of what stands between. */
type Values = Record<string, ReactNode | Date | ((chunks: ReactNode[]) => ReactNode)>

/** The language of the interface: its tag, and its messages with their values filled in. */
type Language = {
  locale: string
  /** A sentence, or a list of its parts where a value is an element. A message that is missing or does not fit its values is its id. */
  format: (id: MessageId, values?: Values) => ReactNode
}

type LanguageProviderProps = {
  locale: string
  /** Message id → ICU syntax tree, compiled ahead of time (src/tools/locales.mjs). */
  messages: Record<string, MessageFormatElement[]>
  onError: (error: unknown) => void
  children: ReactNode
}

/** Gives all below it a language. A new `messages` is a new language, and shows everything anew. */
export function LanguageProvider(props: LanguageProviderProps) {
  return <IntlProvider {...props} />
}

/** For text there is `useText` (text.tsx); this is for numbers, dates and sentences with elements in them. */
export function useLanguage(): Language {
  const intl = useIntl()
  return useMemo(() => ({locale: intl.locale, format: (id, values) => intl.formatMessage({id}, values)}), [intl])
}
