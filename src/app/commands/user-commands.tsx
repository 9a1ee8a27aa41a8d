import type {ServedModel} from '#contract/management.ts'
import type {ModelGroup} from '#contract/models.ts'
import {conversationTitle} from '#domain/conversation-title.ts'
import {groupOfModel, offeredModels, shownLabel} from '#features/chat/model-catalogue.ts'
import {keepModel} from '#features/chat/kept-model.ts'
import {modelLabel} from '#features/chat/model-label.ts'
import {reasonOf} from '#features/chat/model-note.ts'
import type {ChatPorts} from '#features/chat/chat.context.tsx'
import type {CommandEntry, CommandGroup} from '#features/shell/commands/command-entry.ts'
import type {Tool} from '#features/shell/tools.ts'
import type {ConversationListActor} from '#machines/conversation-list/conversation-list.machine.ts'
import {selectActiveConversation, selectItems} from '#machines/conversation-list/conversation-list.selectors.ts'
import {ChatIcon} from '#ui/icons.tsx'
import type {Making} from './page-commands.tsx'

type Chats = {chat: ChatPorts; conversations: ConversationListActor | undefined; served: readonly ServedModel[]}

/** Every conversation, the newest first. */
export function conversationGroup({text, go}: Making, {chat, conversations, served}: Chats): CommandGroup {
  const records = conversations === undefined ? [] : selectItems(conversations.getSnapshot())
  return {
    id: 'conversations',
    heading: text('chat.conversations'),
    entries: records
      .toSorted((one, other) => other.updatedAt - one.updatedAt)
      .map((record): CommandEntry => {
        const location = {group: groupOfModel(record.model, served), conversation: record.id ?? record.key}
        return {
          id: `chat/${record.id ?? record.key}`,
          label: conversationTitle(record) || text('chat.untitled'),
          // a comparison leaves several of one title
          note: modelLabel(record.model, served),
          icon: <ChatIcon />,
          run: () => go(chat.navigation.href(location)),
        }
      }),
  }
}

/** The models of the chats that a site offers, unusable ones with the reason; another group's is chosen for a new chat. */
export function modelGroup(
  {text, english, go}: Making,
  tools: readonly Tool[],
  chats: Chats & {current: ModelGroup | undefined},
) {
  const {chat, conversations, served, current} = chats
  const choose = (group: ModelGroup, name: string) => {
    chat.models.write(group, name)
    if (group !== current) return go(chat.navigation.href({group, conversation: undefined}))
    const active = conversations && selectActiveConversation(conversations.getSnapshot())
    if (active !== undefined) keepModel(chat.drafts, active, name)
  }
  const entries = tools.flatMap((tool) =>
    tool.group !== 'chat'
      ? []
      : offeredModels(tool.id, served).map((model): CommandEntry => ({
          id: `model/${tool.id}/${model.name}`,
          label: shownLabel(model, text),
          words: model.section === 'sandbox' ? `${model.name} ${english('chat.sandboxModels')}` : model.name,
          note: tool.name,
          icon: <ChatIcon />,
          unavailable: reasonOf(model.disabled, text),
          run: () => choose(tool.id, model.name),
        })),
  )
  return {id: 'models', heading: text('index.commandModels'), entries} satisfies CommandGroup
}
