import {z} from '#contract/schema.ts'

const fingerprint = z.string().check(z.regex(/^[A-Za-z0-9_-]{16,128}$/))

/**
 * The id of this browser, sent as `x-fingerprint`: random, created once and stored. It measures nothing about the
 * machine.
 * @param stored the stored value, valid or not
 */
export const fingerprintOf = (storedValue: unknown, createId: () => string): string =>
  storedFingerprint(storedValue) ?? createId()

/** The stored id, if valid: a returning browser sends it with its first requests. */
export const storedFingerprint = (storedValue: unknown): string | undefined => fingerprint.safeParse(storedValue).data
