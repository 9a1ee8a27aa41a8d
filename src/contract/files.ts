/** Largest file our server accepts, in bytes (security R30). */
export const largestFile = 20 * 1_048_576
