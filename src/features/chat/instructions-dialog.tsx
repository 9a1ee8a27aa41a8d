import {useId} from 'react'
import {longestPreset} from '#contract/chat.ts'
import type {ModelGroup} from '#contract/models.ts'
import type {Failure} from '#domain/failure.ts'
import type {
  ConversationInstructionsEvent,
  ConversationInstructionsSnapshot,
} from '#machines/conversation-instructions/conversation-instructions.machine.ts'
import {Button} from '#ui/button.tsx'
import {classNames} from '#ui/class-names.ts'
import {Dialog} from '#ui/dialog.tsx'
import {useText} from '#ui/text.tsx'
import {instructionsKey, useChat} from './chat.context.tsx'
import {LengthNote} from './length-note.tsx'
import {OtherText} from './other-instructions.tsx'
import styles from './prompts.module.css'
import {serverReasonId} from './server-reason.ts'
import {useThreadWords} from './use-thread-words.ts'
import {forgetTyped, useTyped} from './use-typed.ts'

type KeptInstructionsProps = {
  conversation: string
  snapshot: ConversationInstructionsSnapshot
  send: (event: ConversationInstructionsEvent) => void
  onClose: () => void
}

/** The instructions of a conversation that the server has. */
export function KeptInstructions({conversation, snapshot, send, onClose}: KeptInstructionsProps) {
  const {known, failure} = snapshot.context
  return (
    <InstructionsForm
      of={conversation}
      known={known}
      isRead={!snapshot.matches('loading') && !snapshot.matches('failed')}
      isSaving={snapshot.matches('saving')}
      failure={snapshot.matches('loading') ? undefined : failure}
      theirs={snapshot.matches('conflicting') ? known : undefined}
      onLoad={() => send({type: 'instructions.load'})}
      onTake={() => send({type: 'instructions.take'})}
      onSave={(text) => send({type: 'instructions.save', text})}
      onClose={onClose}
    />
  )
}

const nothing = () => undefined

/** The instructions of a conversation that begins with the next question; kept with the drafts until then. */
export function NewInstructions({group, onClose}: {group: ModelGroup; onClose: () => void}) {
  const {drafts} = useChat()
  const key = instructionsKey(group)
  return (
    <InstructionsForm
      of={group}
      known={drafts.read(key)?.text ?? ''}
      isRead
      isSaving={false}
      failure={undefined}
      theirs={undefined}
      onLoad={nothing}
      onTake={nothing}
      onSave={(text) => {
        drafts.write(key, text === '' ? undefined : {text, references: []})
        forgetTyped({drafts}, group)
        onClose()
      }}
      onClose={onClose}
    />
  )
}

type InstructionsFormProps = {
  /** Conversation, or group of the next one. */
  of: string
  known: string
  /** Until then nothing can be changed. */
  isRead: boolean
  isSaving: boolean
  failure: Failure | undefined
  /** The text that another page wrote meanwhile. */
  theirs: string | undefined
  onLoad: () => void
  onTake: () => void
  onSave: (text: string) => void
  onClose: () => void
}

function InstructionsForm(props: InstructionsFormProps) {
  useThreadWords()
  const {of, known, isRead, isSaving, failure, onLoad, onTake, onSave, onClose} = props
  const text = useText()
  const id = useId()
  const {typed, base, type} = useTyped(of, known)
  // what was typed before began from another text
  const isOutdated = isRead && base !== undefined && base !== known && typed?.trim() !== known
  const theirs = props.theirs ?? (isOutdated ? known : undefined)
  const value = typed ?? known
  const title = text('chat.instructionsOne')
  const newText = value.trim()
  const canSave = isRead && newText.length <= longestPreset && (newText !== known || theirs !== undefined)
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      actions={
        <Actions
          canRemove={isRead && known !== ''}
          canSave={canSave}
          isSaving={isSaving}
          onSave={() => onSave(newText)}
          onRemove={() => onSave('')}
          onClose={onClose}
        />
      }
    >
      <div className={styles.form}>
        <textarea
          className={classNames(styles.area, styles.tall)}
          data-first-focus
          aria-label={title}
          aria-describedby={`${id}-length ${id}-help`}
          aria-invalid={newText.length > longestPreset}
          aria-busy={!isRead && failure === undefined}
          readOnly={!isRead}
          placeholder={isRead || failure !== undefined ? '' : text('common.loading')}
          dir="auto"
          rows={5}
          value={value}
          onChange={(event) => type(event.currentTarget.value)}
        />
        <LengthNote id={`${id}-length`} length={newText.length} most={longestPreset} />
        <p id={`${id}-help`} className={styles.note}>
          {text('chat.instructionsOneHelp')}
        </p>
        {failure !== undefined && <Refusal failure={failure} onLoad={isRead ? undefined : onLoad} />}
        {theirs !== undefined && (
          <OtherText
            text={theirs}
            onTake={() => {
              type(theirs, theirs)
              onTake()
            }}
          />
        )}
      </div>
    </Dialog>
  )
}

type ActionsProps = {
  canRemove: boolean
  canSave: boolean
  isSaving: boolean
  onSave: () => void
  onRemove: () => void
  onClose: () => void
}

function Actions({canRemove, canSave, isSaving, onSave, onRemove, onClose}: ActionsProps) {
  const text = useText()
  return (
    <>
      {canRemove && (
        <Button variant="ghost" disabled={isSaving} onClick={onRemove}>
          {text('chat.instructionsRemove')}
        </Button>
      )}
      <Button variant="ghost" onClick={onClose}>
        {text('common.cancel')}
      </Button>
      <Button variant="primary" loading={isSaving} disabled={!canSave} onClick={onSave}>
        {text('chat.followUpSave')}
      </Button>
    </>
  )
}

/** Why the instructions could not be saved, or with `onLoad`, why they could not be read. */
function Refusal({failure, onLoad}: {failure: Failure; onLoad: (() => void) | undefined}) {
  const text = useText()
  const reason = serverReasonId(failure)
  return (
    <div role="alert" className={styles.form}>
      <p className={styles.fault}>
        {text(onLoad === undefined ? 'chat.instructionsNotSaved' : 'chat.instructionsFailed')}
      </p>
      {reason !== undefined && <p className={styles.fault}>{text(reason)}</p>}
      {onLoad !== undefined && (
        <div className={styles.foot}>
          <Button size="sm" onClick={onLoad}>
            {text('common.retry')}
          </Button>
        </div>
      )}
    </div>
  )
}
