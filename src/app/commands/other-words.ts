import {readMessages, wordsIn} from '../english-words.ts'
import {keepLoad} from '../kept-loads.ts'

/** The words that users of a language, and those of English, have for a command, by the id of a message of `words`. */
type OtherWords = (id: string) => string

const loads = new Map<string, Promise<OtherWords>>()

async function readOtherWords(locale: string): Promise<OtherWords> {
  const languages = await Promise.all([...new Set([locale, 'en'])].map((each) => readMessages(each, ['words'])))
  return (id) => languages.flatMap((messages) => wordsIn(messages, `words.${id}`) ?? []).join(' ')
}

/** Without these words the palette finds commands by their names alone. */
export const otherWords = (locale: string): Promise<OtherWords> =>
  keepLoad(
    loads,
    locale,
    () => readOtherWords(locale),
    () => '',
  )
