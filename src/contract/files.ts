/** Bytes of one file that a server of ours takes (security R30). */
export const largestFile = 20 * 1_048_576
