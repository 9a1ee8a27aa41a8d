import type {ModelGroup} from '#contract/models.ts'
import {newDraftKey, type Chat, type ChatPorts} from '../chat.context.tsx'

/** Key of the draft of a question to several models. */
export const compareDraft = 'compare'
const compareHref = '/compare'

/** Address of a comparison of these conversations, by key or server id. */
export const comparisonHref = (names: readonly string[]) =>
  names.length === 0
    ? compareHref
    : `${compareHref}?${names.map((name) => `with=${encodeURIComponent(name)}`).join('&')}`

/** What was typed for a new conversation moves along, unless something waits there. */
export function openCompare(
  {drafts, navigation}: Pick<ChatPorts, 'drafts'> & {navigation: Pick<Chat['navigation'], 'follow'>},
  group: ModelGroup,
) {
  const typed = drafts.read(newDraftKey(group))
  if (typed !== undefined && drafts.read(compareDraft) === undefined) {
    drafts.write(compareDraft, typed)
    drafts.write(newDraftKey(group), undefined)
  }
  navigation.follow(compareHref)
}
