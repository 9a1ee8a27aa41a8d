import {expect, test} from 'vitest'
import {placeholderOrigin} from '#server/platform/placeholder-origin.ts'
import type {Exchange} from '../releases/recording-proxy.ts'
import {eventually} from '../eventually.ts'
import {testOrigin} from './harness.ts'
import {learn, missing, readAnswer, settledTasks, withNames, type Names} from './release-replay.ts'
import {facts, openReleaseServer, readExchanges} from './releases.fixtures.ts'

/* A page of the last release is still open, and its server is this one now. */

/** May be asked again until what ran has ended as it had in the recording. */
const isReading = ({method, body = ''}: Exchange) => method === 'GET' || /"action":"retrieve/.test(body)

test('the recorded session of a client of the last release is answered as it expects', async () => {
  const {server, close} = await openReleaseServer({isRestored: false})
  const names: Names = new Map([
    [facts.url, testOrigin],
    [facts.siteOrigin, await placeholderOrigin(server.deps)],
  ])
  const play = async ({method, path, headers, body, isBase64}: Exchange) => {
    const text = body === undefined || isBase64 ? body : withNames(names, body)
    const response = await server.handle(
      new Request(new URL(withNames(names, path), testOrigin), {
        method,
        headers: [
          // not recorded: it names the machine that it was recorded on
          ['user-agent', 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36'],
          ...Object.entries(headers).map(([name, value]): [string, string] => [name, withNames(names, value)]),
        ],
        body: isBase64 ? Buffer.from(body ?? '', 'base64') : text,
      }),
    )
    const type = response.headers.get('content-type') ?? ''
    const isData = /json|event-stream|html/.test(type)
    const bytes = await response.arrayBuffer()
    return {response, type, data: isData ? readAnswer(type, Buffer.from(bytes).toString()) : undefined}
  }

  const faults: string[] = []
  for (const exchange of readExchanges()) {
    const {method, path, answer} = exchange
    const attempt = async () => {
      const {response, type, data} = await play(exchange)
      const found = response.status === answer.status ? [] : [`answered with ${response.status}, not ${answer.status}`]
      if ((answer.type ?? '').split(';', 1)[0] !== type.split(';', 1)[0]) found.push(`is ${type}, not ${answer.type}`)
      const recorded = answer.text === undefined ? undefined : readAnswer(answer.type, answer.text)
      found.push(...missing(settledTasks(recorded), data))
      learn(names, recorded, data)
      const location = (text: string | null | undefined) =>
        Object.fromEntries(new URL(text ?? '', testOrigin).searchParams)
      learn(names, location(answer.location), location(response.headers.get('location')))
      learn(names, cookiesOf(answer.cookies), cookiesOf(response.headers.getSetCookie()))
      return found
    }
    const faultsNow = isReading(exchange)
      ? await eventually(async () => {
          const found = await attempt()
          expect(found, `${method} ${path}`).toEqual([])
          return found
        })
      : await attempt()
    faults.push(...faultsNow.map((fault) => `${method} ${path}: ${fault}`))
  }
  expect(faults).toEqual([])
  await close()
})

const cookiesOf = (lines: readonly string[] = []) =>
  Object.fromEntries(lines.map((line) => (/^([^=]*)=([^;]*)/.exec(line) ?? []).slice(1, 3)))
