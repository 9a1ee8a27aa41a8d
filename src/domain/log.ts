/** Log of an adapter, for developers. Never log a token or a user's text. */
export type Log = (message: string, details?: Record<string, unknown>) => void
