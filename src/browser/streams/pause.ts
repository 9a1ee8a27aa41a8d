/** A rest between two reads. None asks no timer: those of a hidden window are held back by seconds. */
export const pause = (milliseconds: number): Promise<void> =>
  milliseconds === 0 ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, milliseconds))
