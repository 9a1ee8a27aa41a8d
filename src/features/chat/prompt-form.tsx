import {useEffectEvent, useId, useLayoutEffect, useRef} from 'react'
import {promptBounds, type SavedPrompt} from '#contract/prompts.ts'
import {Button} from '#ui/button.tsx'
import {useText} from '#ui/text.tsx'
import {LengthNote} from './length-note.tsx'
import styles from './prompts.module.css'

type PromptFormProps = {
  /** As typed. */
  prompt: SavedPrompt
  /** It was left open; the focus is elsewhere. */
  isRestored: boolean
  isWriting: boolean
  /** It is gone, with the focus. */
  onLeave: () => void
  onType: (prompt: SavedPrompt) => void
  onCancel: () => void
  onSave: (prompt: SavedPrompt) => void
}

/** The name and text of a saved prompt that is written. */
export function PromptForm({prompt, isRestored, isWriting, onLeave, onType, onCancel, onSave}: PromptFormProps) {
  const text = useText()
  const id = useId()
  const form = useRef<HTMLFormElement>(null)
  // the focus brings its field alone into view
  const leave = useEffectEvent(onLeave)
  useLayoutEffect(() => {
    const {current} = form
    current?.scrollIntoView({block: 'nearest'})
    return () => {
      const focus = document.activeElement
      // its button has lost the focus already, if the server had to take the prompt
      if (focus === document.body || current?.contains(focus)) queueMicrotask(() => leave())
    }
  }, [])
  const type = (part: Partial<SavedPrompt>) => onType({...prompt, ...part})
  const isTooLong = prompt.text.length > promptBounds.text
  const canSave = prompt.name.trim() !== '' && prompt.text.trim() !== '' && !isTooLong
  return (
    <form
      ref={form}
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (canSave && !isWriting) onSave({...prompt, name: prompt.name.trim()})
      }}
    >
      <label className={styles.field} htmlFor={`${id}-name`}>
        {text('chat.promptName')}
        <input
          id={`${id}-name`}
          className={styles.area}
          dir="auto"
          autoFocus={!isRestored}
          readOnly={isWriting}
          maxLength={promptBounds.name}
          value={prompt.name}
          onChange={(event) => type({name: event.currentTarget.value})}
        />
      </label>
      <label className={styles.field} htmlFor={`${id}-text`}>
        {text('chat.promptText')}
        <textarea
          id={`${id}-text`}
          className={styles.area}
          dir="auto"
          rows={3}
          readOnly={isWriting}
          aria-describedby={`${id}-length`}
          aria-invalid={isTooLong}
          value={prompt.text}
          onChange={(event) => type({text: event.currentTarget.value})}
        />
      </label>
      <LengthNote id={`${id}-length`} length={prompt.text.length} most={promptBounds.text} />
      <div className={styles.foot}>
        <Button size="sm" onClick={onCancel}>
          {text('common.cancel')}
        </Button>
        <Button size="sm" variant="primary" type="submit" disabled={!canSave || isWriting}>
          {text('chat.followUpSave')}
        </Button>
      </div>
    </form>
  )
}
