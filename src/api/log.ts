/** Where adapters write what a developer may want to know. Never a token, never a whole message. */
export type Log = (message: string, details?: Record<string, unknown>) => void
