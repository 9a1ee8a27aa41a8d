import {createStallWatch, readBlob} from './stall-watch.ts'

/** Bytes between two reports of a long file. */
const reportEvery = 65_536

/**
 * Fetches a file of the user by its address, which is the credential. Rejects where it is refused, or sends nothing for
 * the time of a stall; `report` hears that it is alive.
 */
export async function fetchBlob(url: string, report: () => void, signal: AbortSignal): Promise<Blob> {
  const watch = createStallWatch(signal)
  let unreportedBytes = 0
  try {
    const response = await fetch(url, {credentials: 'omit', signal: watch.signal})
    if (!response.ok) throw new Error(`The file answered ${response.status}`)
    return await readBlob(response, (bytes) => {
      watch.touch()
      unreportedBytes += bytes
      if (unreportedBytes < reportEvery) return
      unreportedBytes = 0
      report()
    })
  } finally {
    watch.release()
  }
}
