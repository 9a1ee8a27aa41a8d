import type {FollowUpsSnapshot} from './follow-ups.machine.ts'

/* Selectors of the list of follow-ups, which is not part of the first screen. */

/** Key of the follow-up whose text is edited. */
export const selectEditing = (snapshot: FollowUpsSnapshot) =>
  snapshot.matches({editing: 'one'}) ? snapshot.context.edited : undefined
export const selectIsHeld = (snapshot: FollowUpsSnapshot) =>
  snapshot.matches({turn: 'held'}) && snapshot.context.items.length > 0
