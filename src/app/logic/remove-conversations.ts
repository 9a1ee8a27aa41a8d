/**
 * Deletes what is asked for in one moment with one call: several conversations whose time for undo is over, or a page that
 * closes. Each caller hears of that call.
 */
export function createRemover(remove: (ids: readonly string[]) => Promise<void>): (id: string) => Promise<void> {
  let batch: {ids: string[]; done: Promise<void>} | undefined
  return (id) => {
    if (batch !== undefined) {
      batch.ids.push(id)
      return batch.done
    }
    const ids = [id]
    const done = Promise.resolve().then(() => {
      batch = undefined
      return remove(ids)
    })
    batch = {ids, done}
    return done
  }
}
