import {once} from 'node:events'
import {connect, createServer, type Server, type Socket} from 'node:net'
import {clean, Reset, type Toxic} from './toxics.ts'

/**
 * The network between a browser and a server, as a test can pull and poison it: a relay of bytes on a port of its own.
 * Chromium's offline switch only refuses new requests; a stream that is open stays open. Real networks do not do that.
 */
export class Cable {
  /** How many connections a toxic has ended before the server did. */
  bitten = 0
  private readonly ends = new Set<Socket>()
  private readonly farEnds = new Set<Socket>()
  private broken = false
  private toxics: {answers: Toxic; requests: Toxic} = {answers: clean, requests: clean}

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
    this.breakAll()
  }

  mend(): void {
    this.broken = false
  }

  /** Old connections break; new ones suffer from these toxics, until `heal()`. */
  poison(answers: Toxic, requests: Toxic = clean): void {
    this.toxics = {answers, requests}
    this.bitten = 0
    this.breakAll()
  }

  /** New connections are clean; old ones stay as they are. */
  heal(): void {
    this.toxics = {answers: clean, requests: clean}
  }

  /** The server's ends break; what the browser hears of that is the toxic's affair. */
  loseServer(): void {
    for (const end of this.farEnds) end.destroy()
  }

  async dispose(): Promise<void> {
    this.cut()
    this.server.close()
    await once(this.server, 'close')
  }

  private breakAll(): void {
    for (const end of this.ends) end.destroy()
  }

  private join(near: Socket): void {
    if (this.broken) {
      near.destroy()
      return
    }
    const far = connect(this.target, '127.0.0.1')
    this.farEnds.add(far)
    for (const end of [near, far]) {
      this.ends.add(end)
      end.setNoDelay(true)
      // a broken connection is what this is for: its only consequence is that the other end breaks too
      end.on('error', () => undefined)
      end.on('close', () => this.ends.delete(end))
    }
    near.on('close', () => far.destroy())
    far.on('close', () => this.farEnds.delete(far))
    const {answers, requests} = this.toxics
    void this.carry(near, requests, far)
    void this.carry(far, answers, near)
  }

  private async carry(source: Socket, toxic: Toxic, target: Socket): Promise<void> {
    let hasEnded = false
    const watched = async function* () {
      try {
        // as: a socket without an encoding gives buffers
        yield* source as AsyncIterable<Buffer>
        hasEnded = true
      } catch (error) {
        hasEnded = true
        throw error
      }
    }
    try {
      for await (const bytes of toxic(watched())) if (!target.write(bytes)) await once(target, 'drain')
      if (!hasEnded) this.bitten += 1
      target.end()
    } catch (error) {
      if (!(error instanceof Reset)) target.destroy()
      else {
        this.bitten += 1
        target.resetAndDestroy()
        source.destroy()
      }
    }
  }
}
