import type {FollowUpsSnapshot} from './follow-ups.machine.ts'

/* Of the list of those that wait, which is no part of the first screen. */

export const selectEditing = ({context}: FollowUpsSnapshot) => context.editing
export const selectIsHeld = (snapshot: FollowUpsSnapshot) =>
  snapshot.matches({turn: 'held'}) && snapshot.context.items.length > 0
