import {useId, useMemo, useState, type FormEvent} from 'react'
import {longestLabel, mostLabels} from '#contract/chat.ts'
import type {ConversationChange, ConversationRecord} from '#domain/conversation.ts'
import {Button} from '#ui/button.tsx'
import {Dialog} from '#ui/dialog.tsx'
import {TextField} from '#ui/text-field.tsx'
import {useText} from '#ui/text.tsx'
import {useChat} from '../chat.context.tsx'
import {labelChanges, labelColours, shareOf} from './labels.ts'
import styles from './labels.module.css'

type LabelsDialogProps = {
  /** The conversations that are labelled. */
  records: readonly ConversationRecord[]
  /** All labels there are. */
  labels: readonly string[]
  onSave: (changes: ConversationChange[]) => void
  onClose: () => void
}

/** The labels of one or several conversations: boxes, of which some are half on, and a field for a new one. */
export function LabelsDialog({records, labels, onSave, onClose}: LabelsDialogProps) {
  const text = useText()
  const [chosen, setChosen] = useState<Record<string, boolean>>({})
  const [added, setAdded] = useState<readonly string[]>([])
  const [typed, setTyped] = useState('')
  const store = useChat().labelColours
  const all = useMemo(() => [...labels, ...added], [labels, added])
  const colours = useMemo(() => labelColours(all, store.read()), [all, store])
  const name = typed.trim().normalize('NFC')
  const pending = name === '' ? chosen : {...chosen, [name]: true}
  const changes = labelChanges(records, {
    on: Object.keys(pending).filter((label) => pending[label] === true),
    off: Object.keys(pending).filter((label) => pending[label] === false),
  })
  const isTooMany = changes.some((change) => (change.labels?.length ?? 0) > mostLabels)
  const add = (event: FormEvent) => {
    event.preventDefault()
    if (name === '') return
    if (!labels.includes(name)) setAdded([...new Set([...added, name])])
    setChosen({...chosen, [name]: true})
    setTyped('')
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={text('chat.labelTitle')}
      actions={
        <>
          <Button variant="ghost" onClick={onClose}>
            {text('common.cancel')}
          </Button>
          <Button variant="primary" disabled={isTooMany} onClick={() => onSave(changes)}>
            {text('chat.labelSave')}
          </Button>
        </>
      }
    >
      <ul className={styles.choices}>
        {all.map((label) => (
          <LabelBox
            key={label}
            label={label}
            colour={colours.get(label)}
            share={chosen[label] === undefined ? shareOf(records, label) : chosen[label] ? 'all' : 'none'}
            onChange={(isOn) => setChosen({...chosen, [label]: isOn})}
          />
        ))}
      </ul>
      <form className={styles.add} onSubmit={add}>
        <TextField
          label={text('chat.labelNew')}
          value={typed}
          maxLength={longestLabel}
          error={isTooMany ? text('chat.labelMost', {count: mostLabels}) : undefined}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Button type="submit" disabled={name === ''}>
          {text('chat.labelAdd')}
        </Button>
      </form>
    </Dialog>
  )
}

type LabelBoxProps = {
  label: string
  colour: string | undefined
  share: 'all' | 'some' | 'none'
  onChange: (isOn: boolean) => void
}

function LabelBox({label, colour, share, onChange}: LabelBoxProps) {
  const id = useId()
  return (
    <li className={styles.choice}>
      <input
        id={id}
        type="checkbox"
        checked={share === 'all'}
        ref={(box) => {
          if (box !== null) box.indeterminate = share === 'some'
        }}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span className={styles.dot} style={{background: colour}} aria-hidden="true" />
      <label htmlFor={id}>
        <bdi>{label}</bdi>
      </label>
    </li>
  )
}
