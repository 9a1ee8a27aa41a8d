import {Suspense, useState} from 'react'
import {Button} from '#ui/button.tsx'
import {DeleteIcon, EditIcon, MoreIcon} from '#ui/icons.tsx'
import {Menu} from '#ui/menu.tsx'
import {ShareIcon} from '#ui/share-icon.tsx'
import {useText} from '#ui/text.tsx'
import type {ModelGroup} from '#contract/models.ts'
import type {ConversationRecord} from '#domain/conversation.ts'
import {conversationTitle} from '#domain/conversation-title.ts'
import {useChat, type ChatPlace} from '../chat.context.tsx'
import styles from './rows.module.css'
import {PlaceLink} from '../place-link.tsx'
import {TitleEditor} from './title-editor.tsx'

export type RowActions = {
  onRename: (key: string, title: string) => void
  onRemove: (key: string) => void
}

/** What the rows of a list are shown with. */
export type RowSurroundings = {
  group: ModelGroup
  activeKey: string | undefined
  answering: readonly string[]
  unread: readonly string[]
  /** Called on navigation, to close a drawer. */
  onGo?: (() => void) | undefined
}

/** What a row shows besides its conversation. */
export const rowState = ({group, activeKey, answering, unread, onGo}: RowSurroundings, record: ConversationRecord) => ({
  place: {group, conversation: record.id ?? record.key},
  active: record.key === activeKey,
  mark: answering.includes(record.key)
    ? ('answering' as const)
    : unread.includes(record.key)
      ? ('unread' as const)
      : undefined,
  onGo,
})

type ConversationRowProps = {
  record: ConversationRecord
  place: ChatPlace
  active: boolean
  /** A dot: an answer is running, or one arrived while the user was elsewhere. */
  mark: 'answering' | 'unread' | undefined
  actions: RowActions
  onGo?: (() => void) | undefined
  as?: 'li' | 'div'
}

/** One conversation: a link with its title, renamed and deleted in place. */
export function ConversationRow({record, place, active, mark, actions, onGo, as: Row = 'li'}: ConversationRowProps) {
  const text = useText()
  const [mode, setMode] = useState<'shown' | 'renaming' | 'removing' | 'sharing'>('shown')
  const {ShareDialog} = useChat()
  const title = conversationTitle(record) || text('chat.untitled')

  if (mode === 'renaming') {
    return (
      <Row className={styles.row}>
        <TitleEditor
          className={styles.editor}
          label={text('chat.renameLabel')}
          initial={title}
          onSave={(next) => {
            actions.onRename(record.key, next)
            setMode('shown')
          }}
          onCancel={() => setMode('shown')}
        />
      </Row>
    )
  }
  if (mode === 'removing') {
    return (
      <Row
        className={styles.row}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          event.stopPropagation()
          setMode('shown')
        }}
      >
        <span className={styles.question} role="alert">
          {text('chat.removeQuestion')}
        </span>
        <Button size="sm" variant="danger" autoFocus onClick={() => actions.onRemove(record.key)}>
          {text('chat.remove')}
        </Button>
        <Button size="sm" variant="ghost" onClick={() => setMode('shown')}>
          {text('common.cancel')}
        </Button>
      </Row>
    )
  }
  return (
    <Row className={styles.row} data-active={active || undefined}>
      <div className={styles.rowContent}>
        <PlaceLink
          className={styles.title}
          place={place}
          title={title}
          aria-current={active ? 'page' : undefined}
          {...(onGo === undefined ? {} : {onGo})}
          onDoubleClick={() => setMode('renaming')}
          onKeyDown={(event) => {
            if (event.key === 'F2') setMode('renaming')
          }}
        >
          <bdi>{title}</bdi>
        </PlaceLink>
        {mark !== undefined && (
          <span
            className={mark === 'answering' ? styles.live : styles.unread}
            role="img"
            aria-label={text(mark === 'answering' ? 'chat.answering' : 'chat.unread')}
          />
        )}
        <Menu
          label={text('chat.rowActions', {title})}
          align="end"
          entries={[
            {
              id: 'rename',
              label: text('chat.rename'),
              icon: <EditIcon />,
              disabled: record.id === undefined,
              onSelect: () => setMode('renaming'),
            },
            ...(ShareDialog === undefined
              ? []
              : [
                  {
                    id: 'share',
                    label: text('chat.share'),
                    icon: <ShareIcon />,
                    disabled: record.id === undefined,
                    onSelect: () => setMode('sharing'),
                  },
                ]),
            {
              id: 'remove',
              label: text('chat.remove'),
              icon: <DeleteIcon />,
              danger: true,
              onSelect: () => setMode('removing'),
            },
          ]}
          trigger={(props) => (
            <button {...props} type="button" className={styles.more} aria-label={text('chat.rowActions', {title})}>
              <MoreIcon />
            </button>
          )}
        />
      </div>
      {mode === 'sharing' && ShareDialog !== undefined && record.id !== undefined && (
        <Suspense>
          <ShareDialog conversation={record.id} onClose={() => setMode('shown')} />
        </Suspense>
      )}
    </Row>
  )
}
