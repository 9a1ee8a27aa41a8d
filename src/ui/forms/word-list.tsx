import {useState, type KeyboardEvent} from 'react'
import {IconButton} from '../icon-button.tsx'
import {CloseIcon} from '../icons.tsx'
import styles from './word-list.module.css'

type WordListProps = {
  id: string
  words: readonly string[]
  /** Typed or pasted text with one word or several; the owner cuts it. */
  onAdd: (text: string) => void
  onRemove: (word: string) => void
  /** Name of the button that takes a word away. */
  removeLabel: (word: string) => string
  'aria-describedby'?: string
  'aria-invalid'?: true
}

const separators = /[,，、\n]/

/** Words one after the other: Enter, a comma or leaving the field adds what was typed, Backspace takes the last away. */
export function WordList({id, words, onAdd, onRemove, removeLabel, ...described}: WordListProps) {
  const [typed, setTyped] = useState('')
  const add = (text: string) => {
    if (text.trim() !== '') onAdd(text)
    setTyped('')
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // the Enter that ends an input method's word is not ours
    if (event.nativeEvent.isComposing) return
    const last = words.at(-1)
    if (event.key === 'Enter') {
      event.preventDefault()
      add(typed)
    } else if (event.key === 'Backspace' && typed === '' && last !== undefined) onRemove(last)
  }
  return (
    <div className={styles.box} data-invalid={described['aria-invalid']}>
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
        {...described}
        id={id}
        type="text"
        dir="auto"
        className={styles.input}
        value={typed}
        onChange={({currentTarget: {value}}) => (separators.test(value) ? add(value) : setTyped(value))}
        onPaste={(event) => {
          const text = event.clipboardData.getData('text')
          // a field of one line would join the lines
          if (!separators.test(text)) return
          event.preventDefault()
          add(`${typed}${text}`)
        }}
        onKeyDown={onKeyDown}
        onBlur={() => add(typed)}
      />
    </div>
  )
}
