import {useActor} from '@xstate/react'
import {useLayoutEffect, useRef, useState} from 'react'
import type {Ask} from '#domain/conversation.ts'
import type {EnvironmentActor} from '#machines/environment/environment.machine.ts'
import {followUpTextMachine} from '#machines/follow-up-text/follow-up-text.machine.ts'
import {selectItems, type FollowUpsActor} from '#machines/follow-ups/follow-ups.machine.ts'
import {selectEditing} from '#machines/follow-ups/follow-ups.selectors.ts'
import {IconButton} from '#ui/icon-button.tsx'
import {CloseIcon} from '#ui/icons.tsx'
import {useLanguage} from '#ui/language.tsx'
import {useText, type Text} from '#ui/text.tsx'
import {coarsePointer} from '#ui/use-media-query.ts'
import {AttachmentChip} from './attachment-chip.tsx'
import styles from './follow-up-list.module.css'
import {MessageEditor} from './message-editor.tsx'
import {addressName, sizeNote} from './message-view.tsx'

type FollowUpEditorProps = {
  ask: Ask
  followUps: FollowUpsActor
  environment: EnvironmentActor
  /** Takes what was typed into a question that another tab sent or removed meanwhile. */
  onLost: (typed: string) => void
}

/** Edits a waiting question: its text, and which of its files stay. */
export function FollowUpEditor({ask, followUps, environment, onLost}: FollowUpEditorProps) {
  const text = useText()
  const {key} = ask
  const element = useRef<HTMLDivElement>(null)
  const giveBack = (_: unknown, {question}: {question: string}) => onLost(question)
  const [snapshot, send] = useActor(followUpTextMachine.provide({actions: {giveBack}}), {
    input: {ask, followUps, environment},
  })
  // as it was when its editing began: a hidden page keeps in the queue what is typed
  const {ask: firstAsk, references} = snapshot.context
  const [draft] = useState(() => ({
    read: () => undefined,
    write: (text?: string) => send({type: 'text.type', text}),
  }))
  useLayoutEffect(() => {
    send({type: 'editor.entered', isEdited: selectEditing(followUps.getSnapshot()) === key})
    // the focus brings the field alone into view
    element.current?.scrollIntoView({block: 'nearest'})
    return () => {
      const snapshot = followUps.getSnapshot()
      // with the queue all goes that waits in it
      if (snapshot.status !== 'active') return
      send({type: 'editor.left', isWaiting: selectItems(snapshot).some((item) => item.key === key)})
    }
  }, [followUps, key, send])
  return (
    <div ref={element}>
      <MessageEditor
        initial={firstAsk.question}
        draft={draft}
        note={text('chat.followUpNote')}
        submit={text('chat.followUpSave')}
        unusable={undefined}
        onCancel={() => send({type: 'text.cancel'})}
        onSend={(question) => send({type: 'text.save', question})}
      >
        {references.length > 0 && (
          <EditedFiles
            ask={{...firstAsk, references}}
            onRemove={(url) => {
              send({type: 'file.remove', url})
              // the button that was pressed goes with its focus; on touch the field would bring up the keyboard
              if (!matchMedia(coarsePointer).matches) element.current?.querySelector('textarea')?.focus()
            }}
          />
        )}
      </MessageEditor>
    </div>
  )
}

/** The name of a file of a waiting question. */
export const nameOfFile = (url: string, text: Text) => addressName(url) ?? text('chat.file')

/** The files of a question in its editor, where each can be taken out. */
function EditedFiles({ask, onRemove}: {ask: Ask; onRemove: (url: string) => void}) {
  const text = useText()
  const {locale} = useLanguage()
  return (
    <ul className={styles.editorFiles}>
      {ask.references.map((url) => (
        <li key={url}>
          <AttachmentChip name={nameOfFile(url, text)} note={sizeNote(ask.sizes?.[url], locale)}>
            <IconButton
              size="sm"
              label={text('chat.removeFile', {name: nameOfFile(url, text)})}
              icon={<CloseIcon size={14} />}
              onClick={() => onRemove(url)}
            />
          </AttachmentChip>
        </li>
      ))}
    </ul>
  )
}
