/** One line a fact, as JSON on standard error. Fields never carry tokens, keys, prompts or answers (security R26). */
export type Log = Record<'info' | 'warn' | 'error', (message: string, fields?: Record<string, unknown>) => void>

export const createLog = (write: (line: string) => void = (line) => process.stderr.write(`${line}\n`)): Log => {
  const at =
    (level: string) =>
    (message: string, fields: Record<string, unknown> = {}) =>
      write(JSON.stringify({time: new Date().toISOString(), level, message, ...fields}))
  return {info: at('info'), warn: at('warn'), error: at('error')}
}

export const silentLog: Log = {info: () => undefined, warn: () => undefined, error: () => undefined}
