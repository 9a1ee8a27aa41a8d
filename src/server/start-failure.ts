/** Why the server does not start: one sentence for the operator that names what to change. Printed without a stack. */
export class StartFailure extends Error {}

/** A failure that may pass: the process exits with a code that makes its supervisor start it again. */
export class PassingStartFailure extends StartFailure {}
