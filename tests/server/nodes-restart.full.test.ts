import {setTimeout as pause} from 'node:timers/promises'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {Nodes} from './nodes.harness.ts'
import {crowdSize, throughOutage, type Both} from './nodes-outage.ts'
import {OwnPostgres} from './own-postgres.ts'

/*
 * PostgreSQL is restarted, crashes and is away for ten seconds while two nodes answer, follow and make: requests wait
 * or fail honestly, and all goes on without a restart of a node.
 */

let postgres: OwnPostgres
let nodes: Nodes
let both: Both
beforeAll(async () => {
  postgres = await OwnPostgres.start()
  nodes = await Nodes.open({cluster: postgres.database})
  // straight to the database, without the line that a test can cut
  const url = new URL(nodes.server.connection.connectionString ?? '')
  const settings = {DATABASE_URL: url.href, DATABASE_DIRECT_URL: '', LIMIT_FACTOR: '100'}
  both = [await nodes.start(settings), await nodes.start(settings)]
}, 240_000)
afterAll(async () => {
  await nodes.close()
  await postgres.close()
})

type Outage = {what: string; happen: () => Promise<void>; leastRefused: number}
const outages: Outage[] = [
  {what: 'a restart that ends all sessions', happen: () => postgres.restart('fast'), leastRefused: 0},
  {what: 'a crash that it recovers from', happen: () => postgres.restart('immediate'), leastRefused: 0},
  {
    what: 'a fail-over: after ten seconds a server of the same data answers at the address',
    happen: async () => {
      await postgres.stop('immediate')
      await pause(10_000)
      await postgres.start()
    },
    leastRefused: crowdSize,
  },
]

test.each(outages.map((outage) => [outage.what, outage] as const))('%s', {timeout: 180_000}, (_, outage) =>
  throughOutage({nodes, both}, outage),
)

test('the nodes that have seen it all end as they should', async () => {
  for (const {process} of both) expect(await process.signal('SIGTERM')).toBe(0)
})
