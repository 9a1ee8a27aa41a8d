/*
 * A process whose clock is wrong: `node --import` of this file. CLOCK_MINUTES is how far it is ahead; SIGUSR2 sets it
 * back by twice that, in the middle of the work.
 */
const milliseconds = Number(process.env.CLOCK_MINUTES) * 60_000
let shift = milliseconds
process.on('SIGUSR2', () => (shift = -milliseconds))

const RightDate = Date
globalThis.Date = class Date extends RightDate {
  constructor(...values) {
    if (values.length === 0) super(RightDate.now() + shift)
    else super(...values)
  }
  static now() {
    return RightDate.now() + shift
  }
}
