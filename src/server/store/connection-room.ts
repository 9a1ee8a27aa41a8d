import type {Log} from '../log.ts'
import {connectionsOfNode, connectionsOfPooler, directConnectionsOfNode, type Database} from './database.ts'
import {readLiveNodes} from './schema-state.ts'

/** Connections left for operators, backups and the start of a node. */
const forOthers = 10

/**
 * Says at the start when PostgreSQL cannot carry the nodes that live and this one: under load it would refuse
 * connections, which looks like a database that is away.
 */
export async function warnOfFewConnections(
  {direct}: Pick<Database, 'direct'>,
  log: Log,
  {isPooled}: {isPooled: boolean},
): Promise<void> {
  const [nodes, {rows}] = await Promise.all([
    readLiveNodes(direct),
    direct.query<{most: number}>(`
      select min(bound)::int as most from (
        select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as bound
        union all select rolconnlimit from pg_roles where rolname = session_user
        union all select datconnlimit from pg_database where datname = current_database()
      ) bounds where bound >= 0`),
  ])
  const most = rows[0]?.most ?? 0
  const count = nodes.length + 1
  const ofNodes = isPooled ? count * directConnectionsOfNode + connectionsOfPooler : count * connectionsOfNode
  const wantedConnections = ofNodes + forOthers
  if (most < wantedConnections)
    log.warn('the database takes fewer connections than its nodes may need (docs/deploying.md, "Connections")', {
      takes: most,
      wanted: wantedConnections,
      nodes: count,
    })
}
