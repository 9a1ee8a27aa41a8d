import {noToken} from '#domain/failure.ts'
import type {ConversationListSnapshot} from './conversation-list.machine.ts'
import {selectIsAbsent} from './conversation-list.selectors.ts'

/* Selectors of the rows of the list and of what stands in their place, which are not part of the first screen. */

type Snapshot = ConversationListSnapshot

/** No server answered when the list was read: what it shows is what this device has. */
export const selectIsCutOff = (snapshot: Snapshot) =>
  snapshot.matches('error') && snapshot.context.failure?.lost === true
/** The server failed at the last reading: the list may be out of date. Without a credential it was not asked. */
export const selectIsStale = ({context: {failure}}: Snapshot) =>
  failure !== undefined && failure.lost !== true && failure.code !== noToken.code
/** The server keeps pins, an archive and labels. */
export const selectOffersMarks = ({context}: Snapshot) => context.capabilities.includes('marks')
/** The list has been read, and the server knows none of that id. */
export const selectIsMissing = (snapshot: Snapshot) => snapshot.matches('success') && selectIsAbsent(snapshot)
