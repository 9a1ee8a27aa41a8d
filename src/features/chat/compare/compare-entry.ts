import type {Chat, ChatPorts} from '../chat.context.tsx'
import type {Draft} from '../draft.types.ts'
import {joinDraft, moveDraft} from '../move-draft.ts'

/** Key of the draft of a question to several models. */
export const compareDraft = 'compare'
const compareHref = '/compare'

/** Address of a comparison of these conversations, by key or server id. */
export const comparisonHref = (names: readonly string[]) =>
  names.length === 0
    ? compareHref
    : `${compareHref}?${names.map((name) => `with=${encodeURIComponent(name)}`).join('&')}`

/** Opens the page of a comparison with the draft of the field on screen, or with a question that was asked already, which joins the draft of that page. */
export function openCompare(
  chat: Pick<ChatPorts, 'drafts' | 'files'> & {navigation: Pick<Chat['navigation'], 'follow'>},
  draftKey: string,
  askedQuestion?: Draft,
) {
  if (askedQuestion === undefined) moveDraft(chat, draftKey, compareDraft)
  else joinDraft(chat, askedQuestion, compareDraft)
  chat.navigation.follow(compareHref)
}
