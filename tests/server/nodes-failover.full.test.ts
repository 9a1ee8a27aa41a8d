import {afterAll, beforeAll, expect, test} from 'vitest'
import {Nodes} from './nodes.harness.ts'
import {throughOutage, type Both} from './nodes-outage.ts'
import {ReplicatedPostgres} from './replicated-postgres.ts'

/*
 * The machine of the primary is lost: a standby that has confirmed each commit replaces it, behind the HAProxy of
 * `deploy/haproxy.cfg`. For Debian's postgresql-15 and haproxy.
 */

let postgres: ReplicatedPostgres
let nodes: Nodes
let both: Both
beforeAll(async () => {
  postgres = await ReplicatedPostgres.start()
  nodes = await Nodes.open({cluster: postgres.database})
  const url = nodes.server.connection.connectionString ?? ''
  const settings = {DATABASE_URL: url, DATABASE_DIRECT_URL: '', LIMIT_FACTOR: '100'}
  both = [await nodes.start(settings), await nodes.start(settings)]
}, 240_000)
afterAll(async () => {
  await nodes.close()
  await postgres.close()
})

test('the standby takes over: nothing acknowledged is lost, and the nodes go on', {timeout: 180_000}, async () => {
  await throughOutage({nodes, both}, {happen: () => postgres.failOver(), leastRefused: 0})
  for (const {process} of both) expect(await process.signal('SIGTERM')).toBe(0)
})
