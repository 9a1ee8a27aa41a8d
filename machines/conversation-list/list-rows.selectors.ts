import type {ActorRefFrom} from 'xstate'
import {noToken} from '#domain/failure.ts'
import type {conversationPagesMachine} from '#machines/conversation-pages/conversation-pages.machine.ts'
import type {ConversationListSnapshot} from './conversation-list.machine.ts'
import {selectActiveKey, selectIsAbsent} from './conversation-list.selectors.ts'

/* Selectors of the rows of the list and of what stands in their place, which are not part of the first screen. */

type Snapshot = ConversationListSnapshot

/** No server answered when the list was read: what it shows, until it is read again, is what this device has. */
export const selectIsCutOff = (snapshot: Snapshot) =>
  !snapshot.matches('success') && snapshot.context.failure?.lost === true
/** The server failed at the last reading: the list may be out of date. Without a credential it was not asked. */
export const selectIsStale = ({context: {failure}}: Snapshot) =>
  failure !== undefined && failure.lost !== true && failure.code !== noToken.code
/** The server keeps pins, an archive and labels. */
export const selectOffersMarks = ({context}: Snapshot) => context.capabilities.includes('marks')
/** The server knows none of that id; the list may still be read. */
export const selectIsMissing = (snapshot: Snapshot) =>
  selectIsAbsent(snapshot) &&
  (snapshot.matches('success') || snapshot.context.absent.includes(selectActiveKey(snapshot) ?? ''))
/** The first reading of a device without copies: what is listed so far is no more than what was opened. */
export function selectIsFilling(snapshot: Snapshot) {
  // as: children are typed by id, and the list gives this one to the reading of its pages alone
  const pages = snapshot.children.pages as ActorRefFrom<typeof conversationPagesMachine> | undefined
  return snapshot.matches({request: 'first'}) && pages?.getSnapshot().context.kept.length === 0
}
