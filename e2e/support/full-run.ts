/** `npm run test:full`, which takes every variant of a journey. */
export const isFull = process.env.ATRIUM_E2E === 'full'

/**
 * Marks a journey that `npm test` leaves to the full run: matrices of looks, walks over all states of a chart, rare
 * faults.
 */
export const long = {tag: '@long'}

/** Marks all variants of a journey but the one that `npm test` walks. */
export const longBut = (isInEveryRun: boolean): {tag?: string} => (isInEveryRun ? {} : long)

/** The variants of a journey: all of them in the full run, else the last. */
export const some = <T>(variants: readonly T[]): readonly T[] => (isFull ? variants : variants.slice(-1))
