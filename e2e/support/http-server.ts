import {once} from 'node:events'
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http'

export type Answer = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>

export type LocalServer = {url: string; close: () => Promise<void>}

/** A small server of the tests on a loopback port of its own. What goes wrong in `answer` is a 500 with its text. */
export async function listen(answer: Answer): Promise<LocalServer> {
  const server = createServer((request, response) => {
    Promise.resolve(answer(request, response)).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500, {'content-type': 'text/plain'})
      response.end(String(error))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The system gave no port.')
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  // as: a request without an encoding yields buffers
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}
