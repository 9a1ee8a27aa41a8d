import {IntlMessageFormat} from 'intl-messageformat'
import {createContext, use, useMemo, type ReactNode} from 'react'
import {type MessageId} from './message-id.ts'

type MessageTree = Exclude<ConstructorParameters<typeof IntlMessageFormat>[0], string>
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
  messages: Readonly<Record<string, MessageTree>>
  onError: (error: unknown) => void
  children: ReactNode
}

const LanguageContext = createContext<Language | undefined>(undefined)

/** Gives all below it a language. A new `messages` is a new language, and shows everything anew. */
export function LanguageProvider({locale, messages, onError, children}: LanguageProviderProps) {
  const language = useMemo(() => createLanguage(locale, messages, onError), [locale, messages, onError])
  return <LanguageContext value={language}>{children}</LanguageContext>
}

/** For text there is `useText` (text.tsx); this is for numbers, dates and sentences with elements in them. */
export function useLanguage(): Language {
  const language = use(LanguageContext)
  if (language === undefined) throw new Error('There is no LanguageProvider above this component')
  return language
}

function createLanguage(
  locale: string,
  messages: LanguageProviderProps['messages'],
  onError: (error: unknown) => void,
) {
  const formats = new Map<string, IntlMessageFormat>()
  const formatOf = (id: string) => {
    const known = formats.get(id)
    if (known !== undefined) return known
    const tree = messages[id]
    if (tree === undefined) throw new Error(`The message "${id}" is missing in "${locale}"`)
    const format = new IntlMessageFormat(tree, locale)
    formats.set(id, format)
    return format
  }
  const format = (id: MessageId, values?: Values): ReactNode => {
    try {
      return formatOf(id).format<ReactNode>(values)
    } catch (error) {
      onError(error)
      return id
    }
  }
  return {locale, format}
}
