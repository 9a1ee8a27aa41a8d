import {useState, type KeyboardEvent} from 'react'
import {IconButton} from '../icon-button.tsx'
import {CloseIcon} from '../icons.tsx'
import {isComposing} from '../is-composing.ts'
import styles from './word-list.module.css'

type WordListProps = {
  id: string
  words: readonly string[]
  /** Typed or pasted text with one or more words; the owner splits it. */
  onAdd: (text: string) => void
  onRemove: (word: string) => void
  /** Label of the button that removes a word. */
  removeLabel: (word: string) => string
  'aria-describedby'?: string
  'aria-invalid'?: true
}

const separators = /[,，、\n]/

/** A list of words: Enter, a comma or blur adds the typed text, Backspace removes the last word. */
export function WordList({id, words, onAdd, onRemove, removeLabel, ...noteAttributes}: WordListProps) {
  const [draft, setDraft] = useState('')
  const add = (text: string) => {
    if (text.trim() !== '') onAdd(text)
    setDraft('')
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter that confirms an input method's word must not add it
    // Safari reports the key code alone
    if (isComposing(event)) return
    const last = words.at(-1)
    if (event.key === 'Enter') {
      event.preventDefault()
      add(draft)
    } else if (event.key === 'Backspace' && draft === '' && last !== undefined) onRemove(last)
  }
  return (
    <div className={styles.box} data-invalid={noteAttributes['aria-invalid']}>
      {words.length > 0 && (
        <ul className={styles.words}>
          {words.map((word) => (
            <li key={word} className={styles.word}>
              <bdi>{word}</bdi>
              <IconButton
                size="sm"
                label={removeLabel(word)}
                icon={<CloseIcon size={14} />}
                onClick={() => onRemove(word)}
              />
            </li>
          ))}
        </ul>
      )}
      <input
        {...noteAttributes}
        id={id}
        type="text"
        dir="auto"
        className={styles.input}
        value={draft}
        onChange={({currentTarget: {value}}) => (separators.test(value) ? add(value) : setDraft(value))}
        onPaste={(event) => {
          const text = event.clipboardData.getData('text')
          // a one-line field would join pasted lines
          if (!separators.test(text)) return
          event.preventDefault()
          add(`${draft}${text}`)
        }}
        onKeyDown={onKeyDown}
        onBlur={() => add(draft)}
      />
    </div>
  )
}
