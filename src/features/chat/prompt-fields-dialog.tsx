import {useId, useState, type KeyboardEvent} from 'react'
import type {SavedPrompt} from '#contract/prompts.ts'
import {fillPrompt, promptFields} from '#domain/prompt-fields.ts'
import {Button} from '#ui/button.tsx'
import {Dialog} from '#ui/dialog.tsx'
import {isComposing} from '#ui/is-composing.ts'
import {useText} from '#ui/text.tsx'
import styles from './prompts.module.css'
import {useSendKey} from './use-send-key.ts'

type PromptFieldsDialogProps = {prompt: SavedPrompt; onInsert: (text: string) => void; onClose: () => void}

/** Asks for the fields of a prompt. */
export function PromptFieldsDialog({prompt, onInsert, onClose}: PromptFieldsDialogProps) {
  const text = useText()
  const id = useId()
  const {enterKeyHint, sends} = useSendKey()
  const [values, setValues] = useState<ReadonlyMap<string, string>>(new Map())
  const fields = promptFields(prompt.text)
  const insert = () => onInsert(fillPrompt(prompt.text, Object.fromEntries(values)))
  /** Enter goes to the next field that is still empty; with Ctrl or ⌘, and from the last one, it inserts. */
  const press = (event: KeyboardEvent, index: number) => {
    if (isComposing(event)) return
    event.stopPropagation()
    if (event.key === 'Escape') onClose()
    else if (sends(event)) {
      event.preventDefault()
      const next = fields.findIndex((field, at) => at > index && (values.get(field) ?? '') === '')
      if (next === -1 || event.ctrlKey || event.metaKey) insert()
      else document.getElementById(`${id}-${next}`)?.focus()
    }
  }
  return (
    <Dialog
      open
      title={prompt.name}
      width={440}
      onClose={onClose}
      cancel="offered"
      actions={
        <Button form={id} type="submit" variant="primary">
          {text('chat.promptInsert')}
        </Button>
      }
    >
      <form
        id={id}
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          // a form in a portal is in the form of the composer for React
          event.stopPropagation()
          insert()
        }}
      >
        {fields.map((field, index) => (
          <label key={field} className={styles.field} htmlFor={`${id}-${index}`}>
            <span dir="auto">{field}</span>
            <textarea
              id={`${id}-${index}`}
              className={styles.area}
              dir="auto"
              rows={1}
              data-first-focus={index === 0 ? '' : undefined}
              enterKeyHint={enterKeyHint}
              value={values.get(field) ?? ''}
              onKeyDown={(event) => press(event, index)}
              onChange={(event) => setValues(new Map(values).set(field, event.currentTarget.value))}
            />
          </label>
        ))}
      </form>
    </Dialog>
  )
}
