import {useEffect, useState} from 'react'
import type {SearchWords} from '#features/chat/matching-models.ts'
import {useLanguage} from '#ui/language.tsx'

const noWords: SearchWords = () => undefined

/** Words that follow what is shown at once; after a change of the language those of the new one. `read`: always the same. */
export function useSearchWords(read: (locale: string) => Promise<SearchWords>): SearchWords {
  const {locale} = useLanguage()
  const [language, setLanguage] = useState({locale, words: noWords})
  useEffect(() => {
    let isCurrent = true
    void read(locale).then((words) => isCurrent && setLanguage({locale, words}))
    return () => {
      isCurrent = false
    }
  }, [locale, read])
  return language.locale === locale ? language.words : noWords
}
