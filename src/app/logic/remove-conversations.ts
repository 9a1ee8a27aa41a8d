import {mostMarked} from '#contract/chat.ts'

type RemoverPorts = {
  /** Deletes with one call; answers with those that are gone. */
  remove: (ids: readonly string[], keepsAlive: boolean) => Promise<readonly string[]>
  /** The server deletes several at once. */
  takesSeveral: () => boolean
}

type Page = {ids: string[]; gone: Promise<readonly string[]>}

/** A hundred ids of 36 characters are 4 KiB, and browsers keep 64 KiB alive: longer ids and other calls have room. */
const mostKeptAlive = 8

/**
 * Joins deletions of the same moment into calls of as many as one takes, if the server can: several conversations whose
 * time to undo is over, or a page that closes. Each caller gets the result of its own call: that another one failed
 * says nothing about it.
 */
export function createRemover({remove, takesSeveral}: RemoverPorts): (id: string) => Promise<void> {
  let pages: Page[] = []

  const open = (): Page => {
    const keepsAlive = pages.length < mostKeptAlive
    const ids: string[] = []
    const deletion = Promise.resolve().then(() => {
      pages = []
      return remove(ids, keepsAlive)
    })
    return {ids, gone: deletion}
  }
  const join = (id: string): Promise<readonly string[]> => {
    const last = pages.at(-1)
    const page = last === undefined || last.ids.length === mostMarked ? open() : last
    if (page !== last) pages.push(page)
    page.ids.push(id)
    return page.gone
  }
  return async (id) => {
    const deletedIds = await (takesSeveral() ? join(id) : remove([id], true))
    if (!deletedIds.includes(id)) throw new Error(`The conversation ${id} was not deleted`)
  }
}
