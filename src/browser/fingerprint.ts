import {z} from '#contract/schema.ts'

const fingerprint = z.string().check(z.regex(/^[A-Za-z0-9_-]{16,128}$/))

/**
 * The id of this browser, sent as `x-fingerprint`: random, made once and kept with the rest of the stored state.
 * It says nothing about the machine; nothing is measured.
 * @param stored what storage holds, valid or not
 */
export const fingerprintOf = (stored: unknown, createId: () => string): string =>
  storedFingerprint(stored) ?? createId()

/** The id that is kept, if it is one: the first requests of a returning browser carry it. */
export const storedFingerprint = (stored: unknown): string | undefined => fingerprint.safeParse(stored).data
