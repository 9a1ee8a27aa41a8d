import {useSyncExternalStore} from 'react'
import {createPortal} from 'react-dom'
import {keysOf} from '#browser/commands.ts'
import type {ModelGroup} from '#contract/models.ts'
import {IconButton} from '#ui/icon-button.tsx'
import {MoreIcon} from '#ui/icons.tsx'
import {Kbd, shownKeys} from '#ui/kbd.tsx'
import {Menu} from '#ui/menu.tsx'
import type {MenuEntry} from '#ui/menu-entry.ts'
import {InstructionsIcon, SearchIcon} from '#ui/later-icons.tsx'
import {FlowIcon, OutlineIcon} from '#ui/message-icons.tsx'
import {useText} from '#ui/text.tsx'
import {useChat, type ChatActors} from './chat.context.tsx'
import {headSlot} from './head-slot.ts'
import {useConversationMenu} from './list/use-conversation-menu.tsx'

/** Fewer questions need no outline. */
const outlinedFrom = 3

type ThreadMenuProps = {
  group: ModelGroup
  /** The key of the conversation on screen. */
  conversationKey: string
  questions: number
  onFind: () => void
  onOutline: () => void
  /** Undefined where the conversation can have none. */
  onInstructions: (() => void) | undefined
  /** Tells what happens to the answer that is being written; undefined while none is. */
  onFlow: (() => void) | undefined
  /** Undefined where it cannot be shared, or has a button for it. */
  onShare: (() => void) | undefined
}

/** The actions on a conversation, in the head of the chat. */
export function ThreadMenu(props: ThreadMenuProps) {
  const {actors} = useChat()
  const slot = useSyncExternalStore(headSlot.subscribe, headSlot.get)
  if (slot === null || actors === undefined) return null
  return createPortal(<OpenMenu {...props} actors={actors} />, slot)
}

type OpenMenuProps = ThreadMenuProps & {actors: ChatActors}

function OpenMenu({questions, onFind, onOutline, onInstructions, onFlow, ...conversation}: OpenMenuProps) {
  const text = useText()
  const own = useConversationMenu(conversation)
  const label = text('chat.threadMenu')
  const entries: MenuEntry[] = [
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
    ...(onFlow === undefined
      ? []
      : [{id: 'flow', label: text('chat.whatHappened'), icon: <FlowIcon />, onSelect: onFlow}]),
    ...(own.entries.length === 0 ? [] : [{kind: 'separator' as const, id: 'own'}, ...own.entries]),
  ]
  return (
    <>
      <Menu
        label={label}
        entries={entries}
        align="end"
        trigger={(trigger) => <IconButton {...trigger} label={label} icon={<MoreIcon />} data-thread-menu />}
      />
      {own.dialog}
    </>
  )
}
