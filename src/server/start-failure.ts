/** Why the server does not start: one sentence for the operator that names what to change. Printed without a stack. */
export class StartFailure extends Error {}

/** One that may pass by itself: the process ends with a code after which it is started again. */
export class PassingStartFailure extends StartFailure {}
