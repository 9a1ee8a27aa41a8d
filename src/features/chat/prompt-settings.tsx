import {useSelector} from '@xstate/react'
import {useId, useRef, useState, type RefObject} from 'react'
import {promptBounds, type SavedPrompt} from '#contract/prompts.ts'
import type {SavedPromptsActor, SavedPromptsEvent} from '#machines/saved-prompts/saved-prompts.machine.ts'
import {Button} from '#ui/button.tsx'
import {IconButton} from '#ui/icon-button.tsx'
import {DeleteIcon, EditIcon} from '#ui/later-icons.tsx'
import {useText} from '#ui/text.tsx'
import {coarsePointer} from '#ui/use-media-query.ts'
import surface from '#ui/surface.module.css'
import {useChat} from './chat.context.tsx'
import {failureWords} from './failure-words.ts'
import {LengthNote} from './length-note.tsx'
import {OtherText} from './other-instructions.tsx'
import {PromptForm} from './prompt-form.tsx'
import styles from './prompts.module.css'
import {usePrompts} from './use-prompts.ts'
import {useTyped} from './use-typed.ts'
import {useUndoKey} from './use-undo-key.ts'

/** Instructions and saved prompts of the user; nothing where the server keeps none. */
export function PromptSettings() {
  const prompts = usePrompts()
  const actor = prompts === 'opening' ? undefined : prompts
  const isReady = useSelector(actor, (snapshot) => snapshot?.matches({server: 'loading'}) === false)
  return actor === undefined || !isReady ? null : <Kept prompts={actor} />
}

/** Sends a change; `onAnswer` runs once the server has taken or refused it. */
function change(prompts: SavedPromptsActor, event: SavedPromptsEvent, onAnswer: (isTaken: boolean) => void) {
  prompts.send(event)
  const answer = prompts.subscribe((snapshot) => {
    if (snapshot.matches({server: 'writing'})) return
    answer.unsubscribe()
    onAnswer(snapshot.context.failure === undefined)
  })
}

/** No button can be pressed while the server is asked, and one loses its focus then: it goes on to what there is after. */
function passFocus(next: () => HTMLElement | null | undefined) {
  requestAnimationFrame(() => {
    if (document.activeElement?.matches('body, :disabled') === true) next()?.focus()
  })
}

function Kept({prompts}: {prompts: SavedPromptsActor}) {
  const text = useText()
  const hasFailed = useSelector(prompts, (snapshot) => snapshot.matches({server: 'failed'}))
  // one change at a time: another would be dropped
  const isWriting = useSelector(prompts, (snapshot) => snapshot.matches({server: 'writing'}))
  const list = useRef<HTMLDivElement>(null)
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
    <div ref={list} className={styles.kept}>
      <Instructions prompts={prompts} />
      <h3 className={surface.heading}>{text('chat.prompts')}</h3>
      <p className={styles.note}>{text('chat.promptsHelp', {field: '{{name}}'})}</p>
      <PromptRows {...{prompts, isWriting, list}} />
      <WrittenPrompt {...{prompts, isWriting}} />
    </div>
  )
}

type KeptProps = {prompts: SavedPromptsActor; isWriting: boolean}

/** The prompts, the offer to take a removed one back, and why the last change was not taken. */
function PromptRows({prompts, isWriting, list}: KeptProps & {list: RefObject<HTMLDivElement | null>}) {
  const text = useText()
  const {prompts: all, removed, failure, edited} = useSelector(prompts, ({context}) => context)
  /** Those that can be removed: one that is being written cannot. */
  const rowsFrom = (at: number) =>
    [...(list.current?.querySelectorAll<HTMLElement>('[data-remove]') ?? [])]
      .slice(at)
      .filter(({dataset}) => dataset.remove !== edited?.id)
  const undo = () => list.current?.querySelector<HTMLElement>('[data-undo]')
  const remove = (id: string, at: number) =>
    change(prompts, {type: 'prompt.remove', id}, () => passFocus(() => rowsFrom(at)[0] ?? rowsFrom(0).at(-1) ?? undo()))
  const restore = () =>
    change(prompts, {type: 'prompt.restore'}, () =>
      passFocus(() => undo() ?? rowsFrom(0).find(({dataset}) => dataset.remove === removed[0]?.id)),
    )
  useUndoKey(removed.length > 0 && !isWriting, restore)
  return (
    <>
      {all.map((prompt, index) => (
        <PromptRow
          key={prompt.id}
          prompt={prompt}
          canEdit={edited === undefined}
          canRemove={!isWriting && edited?.id !== prompt.id}
          onEdit={() => prompts.send({type: 'prompt.edit', prompt})}
          onRemove={() => remove(prompt.id, index)}
        />
      ))}
      {removed.length > 0 && (
        <p className={styles.foot} role="status">
          {text('chat.promptRemoved')}
          <Button size="sm" variant="ghost" data-undo disabled={isWriting} onClick={restore}>
            {text('common.undo')}
          </Button>
        </p>
      )}
      {failure !== undefined && (
        <p role="alert" className={styles.fault}>
          {text('chat.promptsFailed')} <bdi>{failureWords(text, failure)}</bdi>
        </p>
      )}
    </>
  )
}

/** The form of the prompt that is being written, else the button that begins one. */
function WrittenPrompt({prompts, isWriting}: KeptProps) {
  const text = useText()
  const {newKey} = useChat()
  const writtenPrompt = useSelector(prompts, ({context}) => context.edited)
  const [restoredPrompt] = useState(writtenPrompt)
  const add = useRef<HTMLButtonElement>(null)
  if (writtenPrompt === undefined)
    return (
      <div className={styles.foot}>
        <Button
          ref={add}
          size="sm"
          onClick={() => prompts.send({type: 'prompt.edit', prompt: {id: newKey(), name: '', text: ''}})}
        >
          {text('chat.promptAdd')}
        </Button>
      </div>
    )
  return (
    <PromptForm
      key={writtenPrompt.id}
      prompt={writtenPrompt}
      isRestored={writtenPrompt === restoredPrompt}
      isWriting={isWriting}
      onLeave={() => add.current?.focus()}
      onType={(prompt) => prompts.send({type: 'prompt.type', prompt})}
      onCancel={() => prompts.send({type: 'prompt.cancel'})}
      onSave={(prompt) => prompts.send({type: 'prompt.save', prompt})}
    />
  )
}

type PromptRowProps = {
  prompt: SavedPrompt
  canEdit: boolean
  canRemove: boolean
  onEdit: () => void
  onRemove: () => void
}

function PromptRow({prompt, canEdit, canRemove, onEdit, onRemove}: PromptRowProps) {
  const text = useText()
  return (
    <div className={styles.row} role="group" aria-label={prompt.name}>
      <bdi className={styles.name}>{prompt.name}</bdi>
      <span className={styles.preview} dir="auto">
        {prompt.text}
      </span>
      <IconButton
        size="sm"
        label={text('chat.edit')}
        icon={<EditIcon size={14} />}
        disabled={!canEdit}
        onClick={onEdit}
      />
      <IconButton
        size="sm"
        label={text('chat.followUpRemove')}
        icon={<DeleteIcon size={14} />}
        data-remove={prompt.id}
        disabled={!canRemove}
        onClick={onRemove}
      />
    </div>
  )
}

function Instructions({prompts}: {prompts: SavedPromptsActor}) {
  const text = useText()
  const id = useId()
  const storedText = useSelector(prompts, ({context}) => context.instructions)
  const isWriting = useSelector(prompts, (snapshot) => snapshot.matches({server: 'writing'}))
  const {typed, base, type, settle} = useTyped('user', storedText)
  const value = typed ?? storedText
  const newText = value.trim()
  const isTooLong = newText.length > promptBounds.instructions
  // what was typed before began from another text
  const isOutdated = !isWriting && base !== undefined && base !== storedText && newText !== storedText
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (isWriting || isTooLong) return
        const {currentTarget: form} = event
        change(prompts, {type: 'instructions.save', text: newText}, (isTaken) => {
          if (isTaken) settle(newText)
          // on touch the field would bring up the keyboard
          const field = matchMedia(coarsePointer).matches ? '' : ', textarea'
          passFocus(() => form.querySelector<HTMLElement>(`[type=submit]:enabled${field}`))
        })
      }}
    >
      <h3 className={surface.heading}>
        <label htmlFor={id}>{text('chat.instructions')}</label>
      </h3>
      <textarea
        id={id}
        className={styles.area}
        dir="auto"
        rows={2}
        aria-describedby={`${id}-length ${id}-help`}
        aria-invalid={isTooLong}
        value={value}
        onChange={(event) => type(event.currentTarget.value)}
      />
      <LengthNote id={`${id}-length`} length={newText.length} most={promptBounds.instructions} />
      {isOutdated && <OtherText text={storedText} onTake={() => type(storedText, storedText)} />}
      <div className={styles.foot}>
        <span id={`${id}-help`} className={styles.note}>
          {text('chat.instructionsHelp')}
        </span>
        <Button size="sm" type="submit" disabled={isWriting || isTooLong || newText === storedText}>
          {text('chat.followUpSave')}
        </Button>
      </div>
    </form>
  )
}
