import type {RefObject} from 'react'
import {IconButton} from '#ui/icon-button.tsx'
import {AlertIcon, CheckIcon, MoreIcon} from '#ui/icons.tsx'
import {DeleteIcon} from '#ui/later-icons.tsx'
import type {MenuEntry} from '#ui/menu-entry.ts'
import {Menu} from '#ui/menu.tsx'
import {BranchIcon, LinkIcon} from '#ui/message-icons.tsx'
import {useText} from '#ui/text.tsx'
import type {useCopy} from '#ui/use-copy.ts'

/** The changes that a message allows; undefined while it allows none, or where the server cannot. */
export type MessageChangeActions = {onBranch: (() => void) | undefined; onRemove: (() => void) | undefined}

export type LinkedProps = MessageChangeActions & {
  /** Address of the message on this site; absent while only this device has it. */
  link: string | undefined
}

type MessageMenuProps = {
  align: 'start' | 'end'
  anchor: RefObject<HTMLButtonElement | null>
  entries: readonly MenuEntry[]
  copying: ReturnType<typeof useCopy>
  /** Before the list opens. */
  onPress?: () => void
}

/** The button of the list; it shows how a copy from the list went. Nothing where there is nothing to do. */
export function MessageMenu({align, anchor, entries, copying, onPress}: MessageMenuProps) {
  const text = useText()
  const outcome = copying.result?.outcome
  if (entries.length === 0) return null
  const label = text('chat.messageActions')
  const icon = outcome === 'copied' ? <CheckIcon /> : outcome === 'copyFailed' ? <AlertIcon /> : <MoreIcon />
  return (
    <>
      <Menu
        label={label}
        align={align}
        entries={entries}
        trigger={({ref, onClick, ...props}) => (
          <IconButton
            {...props}
            ref={(button) => {
              ref.current = button
              anchor.current = button
            }}
            size="sm"
            label={label}
            icon={icon}
            onClick={() => {
              onPress?.()
              onClick()
            }}
          />
        )}
      />
      <span role="status" className="visually-hidden">
        {outcome === undefined ? '' : text(`common.${outcome}`)}
      </span>
    </>
  )
}

/** The entries that the lists of questions and of answers share. */
export function useLinkEntries({link, onBranch, onRemove}: LinkedProps, copy: (value: string) => void) {
  const text = useText()
  const copyLink = {
    id: 'link',
    label: text('chat.copyLink'),
    icon: <LinkIcon />,
    onSelect: () => copy(new URL(link ?? '', location.href).href),
  }
  const branch = {id: 'branch', label: text('chat.branch'), icon: <BranchIcon />, onSelect: onBranch}
  const remove = {
    id: 'delete',
    label: text('chat.deleteMessage'),
    icon: <DeleteIcon />,
    danger: true,
    onSelect: onRemove,
  }
  return {
    copies: link === undefined ? [] : [copyLink],
    branches: onBranch === undefined ? [] : [{...branch, onSelect: onBranch}],
    removals:
      onRemove === undefined
        ? []
        : [
            {kind: 'separator' as const, id: 'end'},
            {...remove, onSelect: onRemove},
          ],
  }
}
