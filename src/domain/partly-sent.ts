/** Of several calls one failed, by its `cause`, and those after it were not made. `arrived` names what those before changed. */
export class PartlySent extends Error {
  readonly arrived: readonly string[]

  constructor(arrived: readonly string[], cause: unknown) {
    super('Some of several calls failed', {cause})
    this.arrived = arrived
  }
}
