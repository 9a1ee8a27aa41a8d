import type {UploadSnapshot} from './upload.machine.ts'

export const selectPercent = ({context}: UploadSnapshot) => context.percent
/** Why the file is refused; it can only be taken back. */
export const selectFault = ({context}: UploadSnapshot) => context.fault
/** Why the transfer failed; it can be tried again. */
export const selectFailure = ({context}: UploadSnapshot) => context.failure
