import type {Chat, ChatPorts} from '../chat.context.tsx'
import type {Draft} from '../draft.types.ts'
import {holdsDraft, joinDraft} from '../move-draft.ts'

/** Key of the draft of a question to several models that does not stand in a chat. */
export const compareDraft = 'compare'
const compareHref = '/compare'

/** Address of a comparison of these conversations, by key or server id. */
export const comparisonHref = (names: readonly string[]) =>
  names.length === 0
    ? compareHref
    : `${compareHref}?${names.map((name) => `with=${encodeURIComponent(name)}`).join('&')}`

/**
 * Opens the page of a comparison. The draft of the field on screen is there too, until it is asked; a question that was
 * asked already joins the draft of that page.
 */
export function openCompare(
  chat: Pick<ChatPorts, 'drafts' | 'files'> & {navigation: Pick<Chat['navigation'], 'follow'>},
  draftKey: string,
  askedQuestion?: Draft,
) {
  if (askedQuestion !== undefined) joinDraft(chat, askedQuestion, compareDraft)
  const isCarried = askedQuestion === undefined && holdsDraft(chat, draftKey)
  chat.navigation.follow(compareHref, isCarried ? draftKey : undefined)
}
