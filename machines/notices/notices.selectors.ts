import type {NoticesSnapshot} from './notices.machine.ts'

export const selectNotices = ({context}: NoticesSnapshot) => context.notices

/** Their view is on screen, or awaited. */
export const selectAreWanted = (snapshot: NoticesSnapshot) => snapshot.matches('waiting') || snapshot.matches('shown')

/** No deadline runs: the user cannot see them yet, or may be reading them. */
export const selectAreKept = (snapshot: NoticesSnapshot) =>
  snapshot.matches('waiting') || snapshot.matches({shown: 'held'})
