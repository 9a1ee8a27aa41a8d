import {Suspense, useState, type MouseEvent} from 'react'
import {Button} from '#ui/button.tsx'
import {MoreIcon} from '#ui/icons.tsx'
import {Menu} from '#ui/menu.tsx'
import type {MenuEntry} from '#ui/menu-entry.ts'
import {useCloseRequest} from '#ui/overlays/use-close-request.ts'
import {useText} from '#ui/text.tsx'
import type {ModelGroup} from '#contract/models.ts'
import type {ConversationRecord} from '#domain/conversation.ts'
import {conversationTitle} from '#domain/conversation-title.ts'
import {useChat, type ChatLocation} from '../chat.context.tsx'
import {LocationLink} from '../app-links.tsx'
import {DeletedElsewhere} from '../deleted-elsewhere.tsx'
import {conversationEntries, type BeginActions} from './conversation-entries.tsx'
import {Marks, ModelNote} from './row-marks.tsx'
import {TitleEditor} from './title-editor.tsx'
import type {useEditedRow} from './use-edited-row.ts'
import type {ListActions} from './use-list-actions.ts'
import {focusNeighbour} from './use-row-keys.ts'
import styles from './rows.module.css'

/** The facts about a list that each of its rows needs. */
export type RowSurroundings = {
  group: ModelGroup
  activeKey: string | undefined
  /** The row at which Tab stops. */
  stop: string | undefined
  answering: readonly string[]
  unread: readonly string[]
  /** The model of a conversation whose title others have too, by key. */
  notes: ReadonlyMap<string, string>
  /** The server keeps pins, an archive and labels. */
  offersMarks: boolean
  /** The chosen rows, while rows are chosen. */
  chosen: ReadonlySet<string> | undefined
  actions: RowActions
  /** Called on navigation, to close a drawer. */
  onGo?: (() => void) | undefined
}

/** The actions of a row: those of the list, and staying at its position while its title is edited. */
export type RowActions = ListActions & {edited: Pick<ReturnType<typeof useEditedRow>, 'hold' | 'leaves'>}

/** The state of a row besides its conversation. */
export const rowState = (
  {group, activeKey, stop, answering, unread, notes, offersMarks, chosen, actions, onGo}: RowSurroundings,
  record: ConversationRecord,
) => ({
  location: {group, conversation: record.id ?? record.key},
  active: record.key === activeKey,
  tabIndex: record.key === stop ? 0 : -1,
  mark: answering.includes(record.key)
    ? ('answering' as const)
    : unread.includes(record.key)
      ? ('unread' as const)
      : undefined,
  note: notes.get(record.key),
  offersMarks,
  isChosen: chosen?.has(record.key),
  actions,
  onGo,
})

type ConversationRowProps = Omit<ReturnType<typeof rowState>, 'location'> & {
  record: ConversationRecord
  location: ChatLocation
  as?: 'li' | 'div'
}

/** Shift begins to choose; a long press of a finger does too, instead of the browser's menu. */
const choosing = (key: string, {onSelect}: ListActions) => ({
  onClickCapture: (event: MouseEvent) => {
    if (!event.shiftKey) return
    event.preventDefault()
    event.stopPropagation()
    onSelect(key, true)
  },
  onContextMenu: (event: MouseEvent) => {
    // as: browsers give a PointerEvent here, of which React's type knows nothing
    if ((event.nativeEvent as PointerEvent).pointerType !== 'touch') return
    event.preventDefault()
    onSelect(key)
  },
})

/** One conversation: a link with its title, renamed, deleted and chosen where it stands. */
export function ConversationRow(props: ConversationRowProps) {
  const {record, active, isChosen, actions, as: Row = 'li'} = props
  const text = useText()
  const [mode, setMode] = useState<'shown' | 'left' | 'renaming' | 'removing' | 'sharing'>('shown')
  const {ShareDialog} = useChat()
  const title = conversationTitle(record) || text('chat.untitled')

  if (isChosen !== undefined) return <ChoiceRow {...props} title={title} isChosen={isChosen} />
  if (mode === 'renaming') return <RenamedRow {...props} title={title} onEnd={setMode} />
  if (mode === 'removing') return <RemovedRow {...props} onKeep={() => setMode('left')} />
  const begin = {
    rename: () => setMode('renaming'),
    remove: () => setMode('removing'),
    share: ShareDialog && (() => setMode('sharing')),
    select: () => actions.onSelect(record.key),
  }
  return (
    <Row className={styles.row} data-active={active || undefined}>
      <TitleRow
        {...props}
        rename={begin.rename}
        remove={begin.remove}
        title={title}
        entries={conversationEntries(text, props, begin)}
        takesFocus={mode === 'left'}
      />
      {mode === 'sharing' && ShareDialog !== undefined && record.id !== undefined && (
        <Suspense>
          <ShareDialog conversation={record.id} onClose={() => setMode('shown')} />
        </Suspense>
      )}
    </Row>
  )
}

type RenamedRowProps = ConversationRowProps & {
  title: string
  /** `left`: by keys, the focus comes back to the row. */
  onEnd: (mode: 'left' | 'shown') => void
}

/** A field instead of the title. */
function RenamedRow({record, actions, as: Row = 'li', title, onEnd}: RenamedRowProps) {
  const text = useText()
  return (
    <Row className={styles.row}>
      <DeletedElsewhere conversations={record.key} />
      <TitleEditor
        className={styles.editor}
        label={text('chat.renameLabel')}
        initial={title}
        onSave={(next) => actions.onRename(record.key, next)}
        onOpen={(isOpen) => actions.edited.hold(isOpen ? record : undefined)}
        onEnd={(isByKey, editor) => {
          const leaves = actions.edited.leaves(record.key)
          if (isByKey && leaves && editor !== null) focusNeighbour(editor)
          onEnd(isByKey && !leaves ? 'left' : 'shown')
        }}
      />
    </Row>
  )
}

/** Asks instead of the row whether to delete its conversation. */
function RemovedRow({record, actions, as: Row = 'li', onKeep}: ConversationRowProps & {onKeep: () => void}) {
  const text = useText()
  useCloseRequest(true, onKeep)
  return (
    <Row
      className={styles.row}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        // on touch the same press would ask the drawer around the list to close
        event.preventDefault()
        onKeep()
      }}
    >
      <DeletedElsewhere conversations={record.key} />
      <span className={styles.question} role="alert">
        {text('chat.removeQuestion')}
      </span>
      <Button
        size="sm"
        variant="danger"
        autoFocus
        onClick={(event) => {
          focusNeighbour(event.currentTarget)
          actions.onRemove([record.key])
        }}
      >
        {text('chat.remove')}
      </Button>
      <Button size="sm" variant="ghost" onClick={onKeep}>
        {text('common.cancel')}
      </Button>
    </Row>
  )
}

const focus = (link: HTMLElement | null) => link?.focus()

type TitleRowProps = ConversationRowProps &
  Pick<BeginActions, 'rename' | 'remove'> & {
    title: string
    entries: readonly MenuEntry[]
    /** Its title was edited, or its deletion not confirmed, by keys. */
    takesFocus: boolean
  }

function TitleRow(props: TitleRowProps) {
  const {record, location, active, mark, note, tabIndex, actions, onGo, title, entries, rename, remove, takesFocus} =
    props
  const text = useText()
  return (
    <div className={styles.rowContent} {...choosing(record.key, actions)}>
      <LocationLink
        {...(takesFocus && {ref: focus})}
        data-row={record.key}
        tabIndex={tabIndex}
        className={styles.title}
        location={location}
        title={note === undefined ? title : `${title} · ${note}`}
        aria-current={active ? 'page' : undefined}
        onGo={onGo}
        onKeyDown={(event) => {
          if (event.key === 'F2') rename()
          if (event.key === 'Delete') remove()
          if (event.key !== ' ') return
          event.preventDefault()
          actions.onSelect(record.key)
        }}
      >
        <bdi>{title}</bdi>
      </LocationLink>
      <ModelNote note={note} />
      <Marks record={record} />
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
        entries={entries}
        trigger={(props) => (
          <button
            {...props}
            tabIndex={tabIndex}
            type="button"
            className={styles.more}
            aria-label={text('chat.rowActions', {title})}
          >
            <MoreIcon />
          </button>
        )}
      />
    </div>
  )
}

/** A row while rows are chosen: a box, and the title as its label. */
function ChoiceRow({
  record,
  title,
  note,
  isChosen,
  actions,
  active,
  as: Row = 'li',
}: ConversationRowProps & {title: string; isChosen: boolean}) {
  const text = useText()
  return (
    <Row className={styles.row} data-active={active || undefined}>
      <label className={styles.choice}>
        <input
          type="checkbox"
          data-row={record.key}
          checked={isChosen}
          aria-label={text('chat.severalChoose', {title})}
          onChange={(event) => {
            // a change of a box comes from a click
            actions.onSelect(record.key, event.nativeEvent instanceof MouseEvent && event.nativeEvent.shiftKey)
          }}
        />
        <span className={styles.title}>
          <bdi>{title}</bdi>
        </span>
        <ModelNote note={note} />
        <Marks record={record} />
      </label>
    </Row>
  )
}
