/** Text that grows 12 times a second reads as a flow (docs/benchmarks.md, b). */
const whileVisible = 82

/**
 * Milliseconds between two reads of a stream. Timers of a hidden window, and in some browsers those of its workers, are
 * held back, so that what comes is read as it comes.
 */
export const readingRest = (page: Document = document): number => (page.visibilityState === 'hidden' ? 0 : whileVisible)
