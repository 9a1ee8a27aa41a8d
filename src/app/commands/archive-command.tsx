import type {ServedModel} from '#contract/management.ts'
import type {ModelGroup} from '#contract/models.ts'
import {groupOfModel} from '#features/chat/model-catalogue.ts'
import type {ChatPorts} from '#features/chat/chat.context.tsx'
import type {CommandEntry} from '#features/shell/commands/command-entry.ts'
import type {Tool} from '#features/shell/tools.ts'
import type {ConversationListActor} from '#machines/conversation-list/conversation-list.machine.ts'
import {selectItems} from '#machines/conversation-list/conversation-list.selectors.ts'
import {selectOffersMarks} from '#machines/conversation-list/list-rows.selectors.ts'
import {ArchiveIcon} from '#ui/list-icons.tsx'
import type {Making} from './page-commands.tsx'
import {showArchive} from './show-list.ts'

type Chats = {
  chat: Pick<ChatPorts, 'navigation'>
  conversations: ConversationListActor | undefined
  served: readonly ServedModel[]
  /** The group whose list the page has. */
  current: ModelGroup | undefined
  /** Resolves when the page is there. */
  navigate: (href: string) => Promise<unknown>
}

/**
 * Shows the archive beside the page. Where the page has none or an empty one, it leaves the page, and an open
 * conversation, for the group with the newest archived conversation; where no group has any, the archive of the page is
 * shown empty. Undefined where the server keeps no archive, or no group that the site offers has a list.
 */
export function archiveCommand(
  {text, english}: Pick<Making, 'text' | 'english'>,
  tools: readonly Tool[],
  {chat, conversations, served, current, navigate}: Chats,
): CommandEntry | undefined {
  const snapshot = conversations?.getSnapshot()
  if (conversations === undefined || snapshot === undefined || !selectOffersMarks(snapshot)) return undefined
  const records = selectItems(snapshot).toSorted((one, other) => other.updatedAt - one.updatedAt)
  const archivedRecords = records.filter(({archived}) => archived === true)
  const groups = (archivedRecords.length > 0 ? archivedRecords : records)
    .map(({model}) => groupOfModel(model, served))
    .filter((group) => tools.some(({id}) => id === group))
  const group = groups.find((each) => each === current) ?? groups[0]
  if (group === undefined) return undefined
  const toChat = async () => {
    if (group !== current) await navigate(chat.navigation.href({group, conversation: undefined}))
  }
  return {
    id: 'archive',
    label: text('chat.archiveOpen'),
    words: english('chat.archiveOpen'),
    icon: <ArchiveIcon />,
    run: () => void showArchive({conversations, toChat}),
  }
}
