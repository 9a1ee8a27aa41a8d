type RemoverPorts = {
  /** Deletes with one call; answers with those that are gone. */
  remove: (ids: readonly string[]) => Promise<readonly string[]>
  /** The server deletes several at once. */
  takesSeveral: () => boolean
}

/**
 * Deletes what is asked for in one moment with one call where the server can: several conversations whose time for undo is
 * over, or a page that closes. Each caller hears of its own.
 */
export function createRemover({remove, takesSeveral}: RemoverPorts): (id: string) => Promise<void> {
  let batch: {ids: string[]; gone: Promise<readonly string[]>} | undefined

  const join = (id: string): Promise<readonly string[]> => {
    if (batch !== undefined) {
      batch.ids.push(id)
      return batch.gone
    }
    const ids = [id]
    const gone = Promise.resolve().then(() => {
      batch = undefined
      return remove(ids)
    })
    batch = {ids, gone}
    return gone
  }
  return async (id) => {
    const gone = await (takesSeveral() ? join(id) : remove([id]))
    if (!gone.includes(id)) throw new Error(`The conversation ${id} was not deleted`)
  }
}
