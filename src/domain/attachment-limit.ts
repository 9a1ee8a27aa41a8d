import type {Failure} from './failure.ts'

/** Most attachments of a message (contract/chat §6). */
export const mostFiles = 10

const finalStatuses: readonly (number | undefined)[] = [400, 413, 415, 422]

/** The server refused the file itself: the same bytes are refused again, and it never goes with its message. */
export const isFileRefusal = ({status}: Failure): boolean => finalStatuses.includes(status)
