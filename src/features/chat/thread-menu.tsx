import {useSyncExternalStore} from 'react'
import {createPortal} from 'react-dom'
import {keysOf} from '#browser/commands.ts'
import {IconButton} from '#ui/icon-button.tsx'
import {MoreIcon, SearchIcon} from '#ui/icons.tsx'
import {Kbd, shownKeys} from '#ui/kbd.tsx'
import {Menu} from '#ui/menu.tsx'
import {InstructionsIcon} from '#ui/later-icons.tsx'
import {OutlineIcon} from '#ui/message-icons.tsx'
import {ShareIcon} from '#ui/share-icon.tsx'
import {useText} from '#ui/text.tsx'
import {headSlot} from './head-slot.ts'

/** Fewer questions need no outline. */
const outlinedFrom = 3

type ThreadMenuProps = {
  questions: number
  onFind: () => void
  onOutline: () => void
  /** Undefined where the conversation can have none. */
  onInstructions: (() => void) | undefined
  /** Undefined where it cannot be shared, or has a button for it. */
  onShare: (() => void) | undefined
}

/** What can be done with a conversation, in the head of the chat. */
export function ThreadMenu({questions, onFind, onOutline, onInstructions, onShare}: ThreadMenuProps) {
  const text = useText()
  const slot = useSyncExternalStore(headSlot.subscribe, headSlot.get)
  if (slot === null) return null
  const label = text('chat.threadMenu')
  const entries = [
    {
      id: 'find',
      label: text('chat.find'),
      icon: <SearchIcon />,
      end: <Kbd plain keys={shownKeys(keysOf('find'))} />,
      onSelect: onFind,
    },
    ...(questions < outlinedFrom
      ? []
      : [{id: 'outline', label: text('chat.outline'), icon: <OutlineIcon />, onSelect: onOutline}]),
    ...(onInstructions === undefined
      ? []
      : [
          {
            id: 'instructions',
            label: text('chat.instructionsOne'),
            icon: <InstructionsIcon />,
            onSelect: onInstructions,
          },
        ]),
    ...(onShare === undefined
      ? []
      : [{id: 'share', label: text('chat.share'), icon: <ShareIcon />, onSelect: onShare}]),
  ]
  return createPortal(
    <Menu
      label={label}
      entries={entries}
      align="end"
      trigger={(trigger) => <IconButton {...trigger} label={label} icon={<MoreIcon />} />}
    />,
    slot,
  )
}
