import {useSelector} from '@xstate/react'
import {useId, useState} from 'react'
import {promptBounds, type SavedPrompt} from '#contract/prompts.ts'
import {failureText} from '#domain/failure.ts'
import type {SavedPromptsActor} from '#machines/saved-prompts/saved-prompts.machine.ts'
import {Button} from '#ui/button.tsx'
import {IconButton} from '#ui/icon-button.tsx'
import {DeleteIcon, EditIcon} from '#ui/icons.tsx'
import {useText} from '#ui/text.tsx'
import {useChat} from './chat.context.tsx'
import headings from './composer-settings.module.css'
import styles from './prompts.module.css'
import {usePrompts} from './use-prompts.ts'
import {useUndoKey} from './use-undo-key.ts'

/** Instructions and saved prompts of the user; nothing where the server keeps none. */
export function PromptSettings() {
  const prompts = usePrompts()
  const actor = prompts === 'opening' ? undefined : prompts
  const isReady = useSelector(actor, (snapshot) => snapshot?.matches('loading') === false)
  return actor === undefined || !isReady ? null : <Kept prompts={actor} />
}

function Kept({prompts}: {prompts: SavedPromptsActor}) {
  const text = useText()
  const {newKey} = useChat()
  const {prompts: all, removed, failure} = useSelector(prompts, ({context}) => context)
  const hasFailed = useSelector(prompts, (snapshot) => snapshot.matches('failed'))
  // one change at a time: another would be dropped
  const isWriting = useSelector(prompts, (snapshot) => snapshot.matches('writing'))
  const [editing, setEditing] = useState<SavedPrompt>()
  const [wasSaving, setWasSaving] = useState<SavedPrompt>()
  const restore = () => prompts.send({type: 'prompt.restore'})
  useUndoKey(removed.length > 0 && !isWriting, restore)
  // the form closes when the server has the prompt, and keeps its text when it was refused
  if (wasSaving !== undefined && all.includes(wasSaving)) {
    setWasSaving(undefined)
    setEditing(undefined)
  }
  if (hasFailed)
    return (
      <p className={styles.foot} role="status">
        {text('chat.promptsFailed')}
        <Button size="sm" onClick={() => prompts.send({type: 'prompts.load'})}>
          {text('common.retry')}
        </Button>
      </p>
    )
  return (
    <div className={styles.kept}>
      <Instructions prompts={prompts} />
      <h3 className={headings.heading}>{text('chat.prompts')}</h3>
      <p className={styles.note}>{text('chat.promptsHelp', {field: '{{name}}'})}</p>
      {all.map((prompt) => (
        <div key={prompt.id} className={styles.row} role="group" aria-label={prompt.name}>
          <bdi className={styles.name}>{prompt.name}</bdi>
          <span className={styles.preview} dir="auto">
            {prompt.text}
          </span>
          <IconButton
            size="sm"
            label={text('chat.edit')}
            icon={<EditIcon size={14} />}
            onClick={() => setEditing(prompt)}
          />
          <IconButton
            size="sm"
            label={text('chat.followUpRemove')}
            icon={<DeleteIcon size={14} />}
            disabled={isWriting}
            onClick={() => prompts.send({type: 'prompt.remove', id: prompt.id})}
          />
        </div>
      ))}
      {removed.length > 0 && (
        <p className={styles.foot} role="status">
          {text('chat.promptRemoved')}
          <Button size="sm" variant="ghost" disabled={isWriting} onClick={restore}>
            {text('common.undo')}
          </Button>
        </p>
      )}
      {failure !== undefined && (
        <p role="alert" className={styles.note}>
          {text('chat.promptsFailed')} <bdi>{failureText(failure)}</bdi>
        </p>
      )}
      {editing === undefined ? (
        <div className={styles.foot}>
          <Button size="sm" onClick={() => setEditing({id: newKey(), name: '', text: ''})}>
            {text('chat.promptAdd')}
          </Button>
        </div>
      ) : (
        <PromptForm
          key={editing.id}
          initial={editing}
          onCancel={() => setEditing(undefined)}
          onSave={(prompt) => {
            setWasSaving(prompt)
            prompts.send({type: 'prompt.save', prompt})
          }}
        />
      )}
    </div>
  )
}

function Instructions({prompts}: {prompts: SavedPromptsActor}) {
  const text = useText()
  const id = useId()
  const stored = useSelector(prompts, ({context}) => context.instructions)
  const [value, setValue] = useState(stored)
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        prompts.send({type: 'instructions.save', text: value.trim()})
      }}
    >
      <h3 className={headings.heading}>
        <label htmlFor={id}>{text('chat.instructions')}</label>
      </h3>
      <textarea
        id={id}
        className={styles.area}
        dir="auto"
        rows={2}
        maxLength={promptBounds.instructions}
        aria-describedby={`${id}-help`}
        value={value}
        onChange={(event) => setValue(event.currentTarget.value)}
      />
      <div className={styles.foot}>
        <span id={`${id}-help`} className={styles.note}>
          {text('chat.instructionsHelp')}
        </span>
        <Button size="sm" type="submit" disabled={value.trim() === stored}>
          {text('chat.followUpSave')}
        </Button>
      </div>
    </form>
  )
}

type PromptFormProps = {initial: SavedPrompt; onCancel: () => void; onSave: (prompt: SavedPrompt) => void}

function PromptForm({initial, onCancel, onSave}: PromptFormProps) {
  const text = useText()
  const id = useId()
  const [name, setName] = useState(initial.name)
  const [value, setValue] = useState(initial.text)
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        onSave({id: initial.id, name: name.trim(), text: value})
      }}
    >
      <label className={styles.field} htmlFor={`${id}-name`}>
        {text('chat.promptName')}
        <input
          id={`${id}-name`}
          className={styles.area}
          dir="auto"
          autoFocus
          maxLength={promptBounds.name}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      </label>
      <label className={styles.field} htmlFor={`${id}-text`}>
        {text('chat.promptText')}
        <textarea
          id={`${id}-text`}
          className={styles.area}
          dir="auto"
          rows={3}
          maxLength={promptBounds.text}
          value={value}
          onChange={(event) => setValue(event.currentTarget.value)}
        />
      </label>
      <div className={styles.foot}>
        <Button size="sm" onClick={onCancel}>
          {text('common.cancel')}
        </Button>
        <Button size="sm" variant="primary" type="submit" disabled={name.trim() === '' || value.trim() === ''}>
          {text('chat.followUpSave')}
        </Button>
      </div>
    </form>
  )
}
