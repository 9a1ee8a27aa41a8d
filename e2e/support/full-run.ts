/** `npm run test:full`, which takes every variant of a journey. */
export const isFull = process.env.ATRIUM_E2E === 'full'

/** The variants of a journey: all of them in the full run, else the last. */
export const some = <T>(variants: readonly T[]): readonly T[] => (isFull ? variants : variants.slice(-1))
