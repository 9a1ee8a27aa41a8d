/** Where adapters write what a developer may want to know. Never a token, never what a person wrote. */
export type Log = (message: string, details?: Record<string, unknown>) => void
