import {afterAll, beforeAll, expect, test} from 'vitest'
import {createConnections} from '#server/runs/connections.ts'
import {silentLog} from '#server/log.ts'
import {createTestServer, type TestServer} from './harness.ts'
import {manualTimers} from './providers.fixtures.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer({})
})
afterAll(() => server.close())

test('a process that ends closes its streams, and within a second each that is still led to it', async () => {
  const {database, now} = server.deps
  const clock = manualTimers()
  const connections = createConnections({database, timers: clock.timers, log: silentLog, now, limitFactor: 1})
  connections.start()
  const closed: string[] = []
  const open = (name: string) => {
    const remove = connections.add({
      userId: 'foo',
      credentialId: undefined,
      ping: () => undefined,
      isStalled: () => false,
      close: () => {
        closed.push(name)
        remove?.()
      },
    })
  }
  open('before')
  connections.endAll()
  expect(closed).toEqual(['before'])
  open('meanwhile')
  clock.fire(1_000)
  expect(closed).toEqual(['before', 'meanwhile'])
  await connections.stop()
  open('after')
  clock.fire(1_000)
  expect(closed).toHaveLength(2)
})
