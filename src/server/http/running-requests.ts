/** The requests that are being answered. */
export class RunningRequests {
  private readonly active = new Set<AbortController>()
  private onceIdle: (() => void) | undefined

  /** The signal is aborted at the end of the request: after its last byte, or when the client leaves. */
  begin(outgoing: {once: (event: 'close', listener: () => void) => unknown}): AbortSignal {
    const controller = new AbortController()
    this.active.add(controller)
    // `close` comes once, in both cases
    outgoing.once('close', () => {
      this.active.delete(controller)
      controller.abort()
      if (this.active.size === 0) this.onceIdle?.()
    })
    return controller.signal
  }

  /** The server ends when they do. */
  get isDraining(): boolean {
    return this.onceIdle !== undefined
  }

  /** Resolves once none is running, after this time at the latest. */
  idle(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const grace = setTimeout(resolve, milliseconds)
      this.onceIdle = () => {
        clearTimeout(grace)
        resolve()
      }
      if (this.active.size === 0) this.onceIdle()
    })
  }

  abort(reason: Error): void {
    for (const controller of this.active) controller.abort(reason)
  }
}
