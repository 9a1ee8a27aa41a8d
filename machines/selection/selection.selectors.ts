import type {SelectionSnapshot} from './selection.machine.ts'

const none: string[] = []

/** Ids of the chosen tasks in the order of the choice; undefined while nothing is being chosen. */
export const selectChosen = (snapshot: SelectionSnapshot | undefined): string[] | undefined =>
  snapshot?.hasTag('selecting') === true
    ? snapshot.context.chosen.length === 0
      ? none
      : snapshot.context.chosen
    : undefined
export const selectIsSelecting = (snapshot: SelectionSnapshot | undefined) => snapshot?.hasTag('selecting') === true
/** The commands for the chosen results are under way: nothing else can be chosen meanwhile. */
export const selectIsWorking = (snapshot: SelectionSnapshot | undefined) => snapshot?.hasTag('working') === true
export const selectIsConfirming = (snapshot: SelectionSnapshot) => snapshot.matches({selecting: 'confirming'})
export const selectIsPacking = (snapshot: SelectionSnapshot) => snapshot.matches({selecting: 'packing'})
export const selectIsDeleting = (snapshot: SelectionSnapshot) => snapshot.matches({selecting: 'deleting'})
/** How many tasks are deleted, or files put together. */
export const selectTaskCount = (snapshot: SelectionSnapshot) =>
  selectIsDeleting(snapshot) ? snapshot.context.deleting.length : snapshot.context.files.length
export const selectDone = ({context}: SelectionSnapshot) => context.done
