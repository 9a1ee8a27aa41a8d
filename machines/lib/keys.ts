/** The keys but those that are gone. */
export const without = (keys: readonly string[], ...exceptions: (string | undefined)[]) => {
  const goneKeys = new Set(exceptions)
  return keys.filter((key) => !goneKeys.has(key))
}
/** The keys and one more, once. */
export const withKey = (keys: readonly string[], key: string) => (keys.includes(key) ? [...keys] : [...keys, key])
