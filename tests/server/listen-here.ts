import {once} from 'node:events'
import type {Server} from 'node:http'
import {onTestFinished} from 'vitest'

/** Listens on a free port of this machine until the test ends; gives the port. */
export async function listenHere(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server does not listen.')
  return address.port
}
