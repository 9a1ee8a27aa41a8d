import {once} from 'node:events'
import {createServer, request as send, type Server} from 'node:http'

/**
 * Stands before the server and counts the event streams that are open through it. Speaks HTTP/1.1, as the server does.
 */
export class CountingProxy {
  /** The most streams that were open at a time. */
  most = 0
  private readonly open = new Map<symbol, string>()

  private constructor(
    private readonly server: Server,
    target: number,
  ) {
    server.on('request', (asked, answer) => {
      const key = Symbol()
      const parts: Buffer[] = []
      const onward = send(
        {host: '127.0.0.1', port: target, method: asked.method, path: asked.url, headers: asked.headers},
        (response) => {
          if (response.headers['content-type']?.startsWith('text/event-stream')) {
            this.open.set(key, Buffer.concat(parts).toString())
            this.most = Math.max(this.most, this.open.size)
          }
          answer.writeHead(response.statusCode ?? 502, response.headers)
          response.pipe(answer)
          response.on('error', () => answer.destroy())
        },
      )
      asked.on('data', (part: Buffer) => parts.push(part))
      asked.pipe(onward)
      onward.on('error', () => answer.destroy())
      answer.on('close', () => {
        this.open.delete(key)
        onward.destroy()
      })
    })
  }

  static async to(target: number): Promise<CountingProxy> {
    const server = createServer()
    const proxy = new CountingProxy(server, target)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return proxy
  }

  get url(): string {
    const address = this.server.address()
    if (address === null || typeof address === 'string') throw new Error('The proxy does not listen.')
    return `http://localhost:${address.port}`
  }

  /** The number of open streams that carry all running answers. */
  get shared(): number {
    return [...this.open.values()].filter((body) => body.includes('"action":"follow"')).length
  }

  get streams(): number {
    return this.open.size
  }

  async dispose(): Promise<void> {
    this.server.closeAllConnections()
    this.server.close()
    await once(this.server, 'close')
  }
}
