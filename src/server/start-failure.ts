/** Why the server does not start: one sentence for the operator that names what to change. Printed without a stack. */
export class StartFailure extends Error {}
