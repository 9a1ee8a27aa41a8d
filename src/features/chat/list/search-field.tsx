import type {KeyboardEvent, Ref} from 'react'
import {CloseIcon} from '#ui/icons.tsx'
import {SearchIcon} from '#ui/later-icons.tsx'
import {useText} from '#ui/text.tsx'
import {isComposing} from '#ui/is-composing.ts'
import {coarsePointer} from '#ui/use-media-query.ts'
import styles from './search.module.css'

/** Arrow down goes from the field to the first result, Enter opens it once it is there, Escape empties the field. */
const keys = (query: string, onChange: (query: string) => void) => (event: KeyboardEvent<HTMLInputElement>) => {
  if (isComposing(event)) return
  if (event.key === 'Escape' && query !== '') {
    event.preventDefault()
    event.stopPropagation()
    onChange('')
  } else if (event.key === 'ArrowDown') {
    event.preventDefault()
    event.currentTarget.closest('nav')?.querySelector<HTMLElement>('li a')?.focus()
  } else if (event.key === 'Enter') {
    event.preventDefault()
    const results = event.currentTarget.closest('nav')?.querySelector<HTMLElement>('ul[data-query]')
    // those of the letters before are on their way out
    if (results?.dataset['query'] === query) results.querySelector<HTMLElement>('a')?.click()
  }
}

type SearchFieldProps = {query: string; onChange: (query: string) => void; ref: Ref<HTMLInputElement>}

/** The field above the list, which searches titles and messages. */
export function SearchField({query, onChange, ref}: SearchFieldProps) {
  const text = useText()
  return (
    <div role="search" className={styles.field}>
      <SearchIcon />
      <input
        ref={ref}
        type="text"
        role="searchbox"
        dir="auto"
        enterKeyHint="search"
        autoComplete="off"
        maxLength={200}
        className={styles.input}
        aria-label={text('chat.searchLabel')}
        placeholder={text('chat.searchLabel')}
        value={query}
        onChange={(event) => onChange(event.currentTarget.value)}
        onKeyDown={keys(query, onChange)}
      />
      {query !== '' && (
        <button
          type="button"
          className={styles.clear}
          aria-label={text('chat.searchClear')}
          onClick={({currentTarget}) => {
            // it goes with its focus; on touch the field would bring up the keyboard
            if (!matchMedia(coarsePointer).matches) currentTarget.parentElement?.querySelector('input')?.focus()
            onChange('')
          }}
        >
          <CloseIcon size={14} />
        </button>
      )}
    </div>
  )
}
