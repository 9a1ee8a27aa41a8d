import {CheckIcon} from '#ui/icons.tsx'
import {TextField} from '#ui/text-field.tsx'
import {useText} from '#ui/text.tsx'
import {matchingLanguages} from './languages.ts'
import styles from './settings.module.css'

type LanguageListProps = {
  locale: string
  onLocale: (locale: string) => void
  query: string
  onQuery: (query: string) => void
}

/** On open, scrolls the current language to the middle of the list without moving the page. */
function showChosen(list: HTMLUListElement | null) {
  const chosenButton = list?.querySelector<HTMLElement>('[aria-pressed="true"]')
  if (!list || !chosenButton) return
  list.scrollTop = chosenButton.offsetTop - list.offsetTop - (list.clientHeight - chosenButton.offsetHeight) / 2
}

/** The 18 languages in their own names, with a filter that also matches English names. */
export function LanguageList({locale, onLocale, query, onQuery}: LanguageListProps) {
  const text = useText()
  const shownLanguages = matchingLanguages(query)
  return (
    <>
      <TextField
        type="search"
        label={text('index.languageSearch')}
        value={query}
        onChange={(event) => onQuery(event.currentTarget.value)}
      />
      <ul ref={showChosen} className={styles.languages}>
        {shownLanguages.map(({id, name}) => (
          <li key={id}>
            <button
              type="button"
              className={styles.language}
              lang={id}
              aria-pressed={id === locale}
              onClick={() => onLocale(id)}
            >
              {name}
              {id === locale && <CheckIcon />}
            </button>
          </li>
        ))}
      </ul>
      {shownLanguages.length === 0 && <p className={styles.none}>{text('index.languageNone')}</p>}
    </>
  )
}
