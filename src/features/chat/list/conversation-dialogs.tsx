import {useSelector} from '@xstate/react'
import {useId, useMemo, useState, type FormEvent} from 'react'
import {flushSync} from 'react-dom'
import type {ConversationRecord} from '#domain/conversation.ts'
import {conversationTitle} from '#domain/conversation-title.ts'
import {selectItems} from '#machines/conversation-list/conversation-list.selectors.ts'
import {Button} from '#ui/button.tsx'
import {Dialog} from '#ui/dialog.tsx'
import {useLanguage} from '#ui/language.tsx'
import {TextField} from '#ui/text-field.tsx'
import {useText} from '#ui/text.tsx'
import type {ChatActors} from '../chat.context.tsx'
import {labelsOf} from './labels.ts'
import {LabelsDialog} from './labels-dialog.tsx'
import type {ListActions} from './use-list-actions.ts'

type ConversationDialogProps = {
  kind: 'rename' | 'remove' | 'label'
  actors: ChatActors
  record: ConversationRecord
  actions: ListActions
  onClose: () => void
}

/** Asks for a conversation without its row what a row asks where it stands: a title, whether to delete it, labels. */
export function ConversationDialog({kind, ...props}: ConversationDialogProps) {
  if (kind === 'rename') return <RenameDialog {...props} />
  if (kind === 'remove') return <RemoveDialog {...props} />
  return <OwnLabels {...props} />
}

type OneDialogProps = Omit<ConversationDialogProps, 'kind'>

function RenameDialog({record, actions, onClose}: OneDialogProps) {
  const text = useText()
  const form = useId()
  const title = conversationTitle(record) || text('chat.untitled')
  const [value, setValue] = useState(title)
  const next = value.trim()
  const save = (event: FormEvent) => {
    event.preventDefault()
    if (next === '') return
    if (next !== title) actions.onRename(record.key, next)
    onClose()
  }
  return (
    <Dialog
      open
      title={text('chat.rename')}
      onClose={onClose}
      cancel="offered"
      actions={
        <Button type="submit" form={form} variant="primary" disabled={next === ''}>
          {text('chat.labelSave')}
        </Button>
      }
    >
      <form id={form} onSubmit={save}>
        <TextField
          label={text('chat.renameLabel')}
          value={value}
          maxLength={400}
          autoComplete="off"
          data-first-focus
          onFocus={({currentTarget}) => currentTarget.select()}
          onChange={({currentTarget}) => setValue(currentTarget.value)}
        />
      </form>
    </Dialog>
  )
}

function RemoveDialog({record, actions, onClose}: OneDialogProps) {
  const text = useText()
  const remove = () => {
    // the field of the conversation that replaces it gets the focus unless a dialog has it
    flushSync(onClose)
    actions.onRemove([record.key])
  }
  return (
    <Dialog
      open
      title={text('chat.removeQuestion')}
      onClose={onClose}
      cancel="offered"
      actions={
        <Button variant="danger" onClick={remove}>
          {text('chat.remove')}
        </Button>
      }
    >
      <bdi>{conversationTitle(record) || text('chat.untitled')}</bdi>
    </Dialog>
  )
}

function OwnLabels({actors, record, actions, onClose}: OneDialogProps) {
  const {locale} = useLanguage()
  const all = useSelector(actors.conversations, selectItems)
  const labels = useMemo(() => labelsOf(all, locale), [all, locale])
  return (
    <LabelsDialog
      records={[record]}
      all={all}
      labels={labels}
      onChange={actions.onMark}
      onOfferBack={actions.onOfferBack}
      onMove={() => undefined}
      onSave={(changes) => {
        actions.onMark(changes, 'chat.labelDone')
        onClose()
      }}
      onClose={onClose}
    />
  )
}
