type RemoverPorts = {
  /** Deletes with one call; answers with those that are gone. */
  remove: (ids: readonly string[]) => Promise<readonly string[]>
  /** The server deletes several at once. */
  takesSeveral: () => boolean
}

/**
 * Joins deletions of the same moment into one call if the server can: several conversations whose time to undo is over,
 * or a page that closes. Each caller gets the result of its own.
 */
export function createRemover({remove, takesSeveral}: RemoverPorts): (id: string) => Promise<void> {
  let batch: {ids: string[]; gone: Promise<readonly string[]>} | undefined

  const join = (id: string): Promise<readonly string[]> => {
    if (batch !== undefined) {
      batch.ids.push(id)
      return batch.gone
    }
    const ids = [id]
    const deletion = Promise.resolve().then(() => {
      batch = undefined
      return remove(ids)
    })
    batch = {ids, gone: deletion}
    return deletion
  }
  return async (id) => {
    const deletedIds = await (takesSeveral() ? join(id) : remove([id]))
    if (!deletedIds.includes(id)) throw new Error(`The conversation ${id} was not deleted`)
  }
}
