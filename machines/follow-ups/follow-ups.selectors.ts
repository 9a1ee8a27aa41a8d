import type {FollowUpsSnapshot} from './follow-ups.machine.ts'

/* Selectors of the list of follow-ups, which is not part of the first screen. */

export const selectEditing = ({context}: FollowUpsSnapshot) => context.editing
export const selectIsHeld = (snapshot: FollowUpsSnapshot) =>
  snapshot.matches({turn: 'held'}) && snapshot.context.items.length > 0
