/**
 * Marks a test that `npm test` leaves to the full run: it repeats what a shorter one shows, in more variants, sizes or
 * faults (docs/decisions/0117-long-tests.md). A run that names its file has it too.
 */
export const long = {tags: 'long'}

/** `npm run test:full`: walks over states take every combination. */
export const isFull = process.env['ATRIUM_TESTS'] === 'full'
