import {statfs} from 'node:fs/promises'

/** Enough for PostgreSQL to finish what runs (its log grows by 16 MB) and for answers that are being written. */
export const reservedBytes = 64 * 1024 * 1024
const checkEveryMilliseconds = 1_000

export type FreeSpace = (folder: string) => Promise<number>

const freeSpace: FreeSpace = async (folder) => {
  const {bavail, bsize} = await statfs(folder)
  return bavail * bsize
}

/**
 * Whether requests may write (security R65). Below the reserve they only read, so that the database never meets a full
 * disk in the middle of a write, which would stop it; once there is room, they write again. Checks at most once a
 * second. If the check fails, the disk counts as having room: then the database reports a full disk itself.
 */
export function createDiskGuard(
  folder: string,
  {free = freeSpace, clock = () => performance.now()}: {free?: FreeSpace; clock?: () => number} = {},
): () => Promise<boolean> {
  let checkedAt = -Infinity
  let isLow = false
  return async () => {
    if (clock() - checkedAt < checkEveryMilliseconds) return isLow
    checkedAt = clock()
    try {
      isLow = (await free(folder)) < reservedBytes
    } catch {
      isLow = false
    }
    return isLow
  }
}
