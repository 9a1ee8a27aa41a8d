import {useState} from 'react'
import {LanguageList} from './language-list.tsx'

/** The language of the interface; the filter lasts as long as the tab. */
export function LanguageTab({locale, onLocale}: {locale: string; onLocale: (locale: string) => void}) {
  const [query, setQuery] = useState('')
  return <LanguageList locale={locale} onLocale={onLocale} query={query} onQuery={setQuery} />
}
