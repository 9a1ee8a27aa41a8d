/** The keys but those that are gone. */
export const without = (keys: readonly string[], ...gone: (string | undefined)[]) =>
  keys.filter((key) => !gone.includes(key))
/** The keys and one more, once. */
export const withKey = (keys: readonly string[], key: string) => (keys.includes(key) ? [...keys] : [...keys, key])
