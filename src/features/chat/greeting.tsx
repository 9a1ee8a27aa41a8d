import {useText, type MessageId} from '#ui/text.tsx'
import styles from './chat-screen.module.css'

const suggestions: readonly {label: MessageId; text: MessageId}[] = [
  {label: 'chat.suggestExplain', text: 'chat.suggestExplainText'},
  {label: 'chat.suggestDraft', text: 'chat.suggestDraftText'},
  {label: 'chat.suggestSummarise', text: 'chat.suggestSummariseText'},
  {label: 'chat.suggestCode', text: 'chat.suggestCodeText'},
]

/** Heading of an empty conversation. */
export function Greeting() {
  const text = useText()
  return (
    <div className={styles.greeting}>
      <h1 tabIndex={-1}>{text('chat.greeting')}</h1>
    </div>
  )
}

/** Suggested beginnings of questions; a press inserts one into the message field. */
export function Suggestions({onSuggest}: {onSuggest: (text: string) => void}) {
  const text = useText()
  return (
    <div className={styles.suggestions}>
      {suggestions.map(({label, text: beginning}) => (
        <button
          key={label}
          type="button"
          className={styles.suggestion}
          onClick={() => onSuggest(`${text(beginning)} `)}
        >
          {text(label)}
        </button>
      ))}
    </div>
  )
}
