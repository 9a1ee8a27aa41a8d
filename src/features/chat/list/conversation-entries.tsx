import type {ConversationRecord} from '#domain/conversation.ts'
import {DeleteIcon, EditIcon} from '#ui/later-icons.tsx'
import {ArchiveBackIcon, ArchiveIcon, ExportIcon, LabelIcon, PinIcon, PinOffIcon, SelectIcon} from '#ui/list-icons.tsx'
import type {MenuEntry} from '#ui/menu-entry.ts'
import {ShareIcon} from '#ui/share-icon.tsx'
import type {Text} from '#ui/text.tsx'
import type {ListActions} from './use-list-actions.ts'
import {focusAfterGone, focusMovedRow} from './use-row-keys.ts'

/** The actions that begin in the view that has the menu. Undefined: not offered there. */
export type BeginActions = {
  rename: () => void
  remove: () => void
  share: (() => void) | undefined
  select?: () => void
}

type Subject = {
  record: ConversationRecord
  /** The server keeps pins, an archive and labels. */
  offersMarks: boolean
  actions: Pick<ListActions, 'onMark' | 'onLabel' | 'onArchive' | 'onExport'>
}

/**
 * The menu of a conversation, in its row of the list and in the head of the chat. What needs the server waits until the
 * conversation has an id.
 */
export function conversationEntries(
  text: Text,
  {record, offersMarks, actions}: Subject,
  begin: BeginActions,
): MenuEntry[] {
  const {key, id, pinned = false, archived = false} = record
  const isDisabled = id === undefined
  const marks: MenuEntry[] = [
    {
      id: 'pin',
      label: text(pinned ? 'chat.unpin' : 'chat.pin'),
      icon: pinned ? <PinOffIcon /> : <PinIcon />,
      disabled: isDisabled,
      onSelect: () => {
        actions.onMark([{key, pinned: !pinned}])
        focusMovedRow(key)
      },
    },
    {
      id: 'labels',
      label: text('chat.labelEdit'),
      icon: <LabelIcon />,
      disabled: isDisabled,
      onSelect: () => actions.onLabel([key]),
    },
    {
      id: 'archive',
      label: text(archived ? 'chat.archiveBack' : 'chat.archiveOne'),
      icon: archived ? <ArchiveBackIcon /> : <ArchiveIcon />,
      disabled: isDisabled,
      onSelect: () => {
        focusAfterGone(key)
        actions.onArchive([key], !archived)
      },
    },
  ]
  return [
    {id: 'rename', label: text('chat.rename'), icon: <EditIcon />, disabled: isDisabled, onSelect: begin.rename},
    ...(begin.share === undefined
      ? []
      : [{id: 'share', label: text('chat.share'), icon: <ShareIcon />, disabled: isDisabled, onSelect: begin.share}]),
    ...(offersMarks ? marks : []),
    ...(begin.select === undefined
      ? []
      : [{id: 'select', label: text('chat.severalSelect'), icon: <SelectIcon />, onSelect: begin.select}]),
    {id: 'export', label: text('chat.exportOne'), icon: <ExportIcon />, onSelect: () => actions.onExport([key])},
    {id: 'remove', label: text('chat.remove'), icon: <DeleteIcon />, danger: true, onSelect: begin.remove},
  ]
}
