import {conversationTitle} from '#domain/conversation-title.ts'
import {shortText} from '#domain/cut-text.ts'
import type {Text} from '#ui/text.tsx'

/** Characters that a title may have at most (src/contract/chat-requests.ts). */
const longestTitle = 400

/** The first words of the titles of branches in all languages: a branch may be branched in another one. */
const branchWords = [
  ...['Branch', 'Branche', 'Gren', 'Haara', 'Odgałęzienie', 'Rama', 'Ramificação', 'Ramo', 'Zweig'],
  ...['Κλάδος', 'Ветвь', 'Гілка', 'Грана', 'فرع', '分岐', '分支', '분기'],
]

/** The title of a branch of a conversation, which says so once: a branch of a branch has the title of that. */
export function branchTitle(text: Text, conversation: Parameters<typeof conversationTitle>[0]): string {
  const own = conversationTitle(conversation)
  const isBranch = branchWords.some((word) => own.startsWith(`${word} · `))
  return shortText(isBranch ? own : text('chat.branchTitle', {title: own}), longestTitle)
}
