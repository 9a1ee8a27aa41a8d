import {useEffect, useEffectEvent, type FocusEvent} from 'react'
import {Button} from '#ui/button.tsx'
import {Switch} from '#ui/forms/switch.tsx'
import {Kbd} from '#ui/kbd.tsx'
import {RetryIcon} from '#ui/icons.tsx'
import {IconButton} from '#ui/icon-button.tsx'
import {useText} from '#ui/text.tsx'
import surface from '#ui/surface.module.css'
import styles from './key-list.module.css'

export type CommandKeys = {
  id: string
  label: string
  /** As the platform writes them; none where they were taken away. */
  keys: string
  isChanged: boolean
  isAwaited: boolean
  /** Why the pressed keys, the first ones, or those that were chosen before, cannot be had. */
  refusal?: string | undefined
}

type KeyListProps = {
  commands: readonly CommandKeys[]
  /** Keys that cannot be changed. */
  fixed: readonly {keys: string; label: string}[]
  hasSingleKeys: boolean
  onSingleKeys: (isOn: boolean) => void
  onChange: (id: string) => void
  /** A press while keys are awaited. */
  onPress: (event: KeyboardEvent) => void
  onCancel: () => void
  onReset: (id: string) => void
  onResetAll: () => void
}

/** Every command with its keys, which a press of others changes. */
export function KeyList(props: KeyListProps) {
  const {commands, fixed, hasSingleKeys, onSingleKeys, onCancel, onResetAll} = props
  const text = useText()
  const isAwaiting = commands.some(({isAwaited}) => isAwaited)
  useAwaitedKeys(isAwaiting, props)
  /** A press on another button of the list ends the wait with its click: an earlier change would move the button. */
  const leave = ({currentTarget, relatedTarget}: FocusEvent<HTMLElement>) => {
    if (isAwaiting && !currentTarget.contains(relatedTarget)) onCancel()
  }
  return (
    <div className={styles.body} onBlur={leave}>
      <ul className={styles.list}>
        {commands.map((command) => (
          <KeyRow key={command.id} command={command} {...props} />
        ))}
      </ul>
      {commands.some(({isChanged}) => isChanged) && (
        <Button
          size="sm"
          onClick={({currentTarget}) => {
            focusLastKeys(currentTarget.previousElementSibling)
            onResetAll()
          }}
        >
          {text('index.shortcutResetAll')}
        </Button>
      )}
      <Switch
        id="single-keys"
        label={text('index.shortcutSingle')}
        help={text('index.shortcutSingleHelp')}
        value={hasSingleKeys}
        onChange={onSingleKeys}
      />
      <h3 className={surface.heading}>{text('index.shortcutFixed')}</h3>
      <ul className={styles.list}>
        {fixed.map(({keys, label}) => (
          <li key={keys} className={styles.row}>
            <span className={styles.label}>{label}</span>
            <Kbd keys={keys} />
          </li>
        ))}
      </ul>
    </div>
  )
}

/** A button that resets keys is gone with its click: its focus goes to the keys before the focus would be lost. */
const focusLastKeys = (rows: Element | null) =>
  [...(rows?.querySelectorAll<HTMLElement>('[aria-pressed]') ?? [])].at(-1)?.focus()

type KeyRowProps = Pick<KeyListProps, 'onChange' | 'onCancel' | 'onReset'> & {command: CommandKeys}

function KeyRow({command: {id, label, keys, isChanged, isAwaited, refusal}, onChange, onCancel, onReset}: KeyRowProps) {
  const text = useText()
  return (
    <li className={styles.row}>
      <span className={styles.label}>{label}</span>
      {isChanged && (
        <IconButton
          size="sm"
          label={text('index.shortcutReset', {command: label})}
          icon={<RetryIcon size={14} />}
          onClick={({currentTarget}) => {
            focusLastKeys(currentTarget.closest('li'))
            onReset(id)
          }}
        />
      )}
      <button
        type="button"
        className={styles.keys}
        aria-label={`${text('index.shortcutChange', {command: label})}: ${keys}`}
        aria-pressed={isAwaited}
        onClick={() => (isAwaited ? onCancel() : onChange(id))}
      >
        {isAwaited ? '…' : <Kbd keys={keys} plain />}
      </button>
      {(isAwaited || refusal !== undefined) && (
        <p role="status" className={styles.saying} data-refused={refusal !== undefined || undefined}>
          {refusal ?? text('index.shortcutPress')}
        </p>
      )}
    </li>
  )
}

/** While keys are awaited every press is theirs: no command runs, no dialog closes. */
function useAwaitedKeys(isAwaited: boolean, {onPress}: Pick<KeyListProps, 'onPress'>) {
  const press = useEffectEvent(onPress)
  useEffect(() => {
    if (!isAwaited) return
    const listener = (event: KeyboardEvent) => {
      event.preventDefault()
      event.stopImmediatePropagation()
      press(event)
    }
    addEventListener('keydown', listener, {capture: true})
    return () => removeEventListener('keydown', listener, {capture: true})
  }, [isAwaited])
}
