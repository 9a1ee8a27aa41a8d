/** Does the work of all items, `width` of them at once. The first failure ends it, when those under way have ended. */
export async function inTurns<T>(width: number, items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const rest = items.values()
  let hasFailed = false
  const turn = async () => {
    for (const item of rest) {
      if (hasFailed) return
      try {
        await work(item)
      } catch (error) {
        hasFailed = true
        throw error
      }
    }
  }
  const ends = await Promise.allSettled(Array.from({length: width}, turn))
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}
