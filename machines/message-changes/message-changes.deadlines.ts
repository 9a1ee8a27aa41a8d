/** Milliseconds in which the server answers one call for the messages of a conversation. */
export const callDeadline = 15_000

/** Calls that end before a request for deletions is answered: earlier deletions, the change after them, its own. */
const callCount = 3

/** Milliseconds after which a request for the deletions is not answered any more; one call longer than it can take. */
export const requestDeadline = (callCount + 1) * callDeadline
