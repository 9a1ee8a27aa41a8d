/** One of several calls failed, by its `cause`, and those after it were not made. The ids name what those before changed. */
export class PartlySent extends Error {
  readonly arrivedIds: readonly string[]

  constructor(arrivedIds: readonly string[], cause: unknown) {
    super('Some of several calls failed', {cause})
    this.arrivedIds = arrivedIds
  }
}
