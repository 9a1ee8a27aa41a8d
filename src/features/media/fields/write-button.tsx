import {useActor} from '@xstate/react'
import {useId, useState} from 'react'
import {callOf, selectRefusal} from '#machines/call/call.machine.ts'
import {Button} from '#ui/button.tsx'
import {Field} from '#ui/forms/field.tsx'
import {LineInput} from '#ui/forms/text-area.tsx'
import {WriteIcon} from '#ui/media-icons.tsx'
import {Popover} from '#ui/popover.tsx'
import {Spinner} from '#ui/spinner.tsx'
import {useText} from '#ui/text.tsx'
import styles from './fields.module.css'

type WriteButtonProps = {
  /** Writes a text from a line; rejects when it could not. That of the first render is used. */
  onWrite: (idea: string) => Promise<void>
  /** Brings back what stood there before; absent when nothing was written. */
  onUndo: (() => void) | undefined
}

/** Milliseconds: a text is a task like any other, which has deadlines of its own. */
const deadline = 1_800_000

/** Has a longer text written from an idea in one line, and takes it back again. */
export function WriteButton({onWrite, onUndo}: WriteButtonProps) {
  const text = useText()
  const id = useId()
  const [idea, setIdea] = useState('')
  const [logic] = useState(() => callOf(({subject = ''}) => onWrite(subject)))
  const [snapshot, send] = useActor(logic, {input: {deadline}})
  const write = (close: () => void) => {
    if (idea.trim() === '') return
    close()
    send({type: 'call.send', subject: idea.trim()})
  }
  if (snapshot.matches('sending')) {
    return (
      <span className={styles.writing} role="status">
        <Spinner size={14} />
        {text('common.mediaWriting')}
      </span>
    )
  }
  return (
    <span className={styles.writing}>
      {selectRefusal(snapshot) !== undefined && <span role="alert">{text('common.mediaFailed')}</span>}
      {onUndo !== undefined && (
        <button type="button" className={styles.write} onClick={onUndo}>
          {text('common.undo')}
        </button>
      )}
      <Popover
        label={text('common.mediaWritten')}
        align="end"
        trigger={(trigger) => (
          <button type="button" className={styles.write} {...trigger}>
            <WriteIcon size={14} />
            {text('common.mediaWritten')}
          </button>
        )}
      >
        {(close) => (
          <form
            className={styles.idea}
            onSubmit={(event) => {
              event.preventDefault()
              event.stopPropagation()
              write(close)
            }}
          >
            <Field id={id} label={text('common.mediaWriteIdea')}>
              <LineInput id={id} value={idea} onChange={setIdea} autoFocus />
            </Field>
            <Button variant="primary" type="submit" disabled={idea.trim() === ''}>
              {text('common.mediaWritten')}
            </Button>
          </form>
        )}
      </Popover>
    </span>
  )
}
