/** A code and its `state`, taken out of the address. */
export type LoginReturn = {code: string; state: string | undefined}
