import {once} from 'node:events'
import {connect, createServer, type Server, type Socket} from 'node:net'

/**
 * The network between a browser and a server, as a test can pull it: a relay of bytes on a port of its own. Chromium's
 * offline switch only refuses new requests; a stream that is open stays open. Real networks do not do that.
 */
export class Cable {
  private readonly ends = new Set<Socket>()
  private broken = false

  private constructor(
    private readonly server: Server,
    private readonly target: number,
  ) {
    server.on('connection', (near) => this.join(near))
  }

  static async to(target: number): Promise<Cable> {
    const server = createServer()
    const cable = new Cable(server, target)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return cable
  }

  /** The address of the server through this cable. */
  get url(): string {
    const address = this.server.address()
    if (address === null || typeof address === 'string') throw new Error('The cable is not laid.')
    return `http://localhost:${address.port}`
  }

  /** Every connection breaks, and new ones break at once. */
  cut(): void {
    this.broken = true
    for (const end of this.ends) end.destroy()
  }

  mend(): void {
    this.broken = false
  }

  async dispose(): Promise<void> {
    this.cut()
    this.server.close()
    await once(this.server, 'close')
  }

  private join(near: Socket): void {
    if (this.broken) {
      near.destroy()
      return
    }
    const far = connect(this.target, '127.0.0.1')
    for (const [end, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.ends.add(end)
      end.pipe(other)
      // a broken connection is what this is for: its only consequence is that the other end breaks too
      end.on('error', () => other.destroy())
      end.on('close', () => {
        this.ends.delete(end)
        other.destroy()
      })
    }
  }
}
