import {once} from 'node:events'
import {createServer, type RequestListener} from 'node:http'
import {answerDeadlines, callUpstream} from '#server/providers/call-upstream.ts'
import {realOutboundPorts} from '#server/providers/outbound.ts'
import {listenHere} from './listen-here.ts'

/** A server on loopback until the end of the test. */
export async function serverOf(answer: RequestListener): Promise<string> {
  const port = await listenHere(createServer(answer))
  return `http://127.0.0.1:${port}`
}

/** A server that writes the first bytes of an answer at once and then nothing, and tells when its reader hangs up. */
export async function stalledServer(pieces = ['data: foo']) {
  const hungUp: Promise<unknown>[] = []
  const baseUrl = await serverOf((_, response) => {
    hungUp.push(once(response, 'close'))
    response.cork()
    for (const piece of pieces) response.write(piece)
    response.uncork()
  })
  return {baseUrl, hungUp}
}

export const ask = (
  baseUrl: string,
  body: unknown = {},
  ports = realOutboundPorts,
  signal: AbortSignal = new AbortController().signal,
) =>
  callUpstream(
    {
      upstream: {name: 'foo', baseUrl, apiKey: 'secret-key'},
      path: '/chat',
      method: 'POST',
      body,
      signal,
      deadlines: answerDeadlines,
    },
    ports,
  )
