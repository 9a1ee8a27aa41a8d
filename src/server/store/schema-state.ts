import {createHash} from 'node:crypto'
import {leaseMilliseconds} from '../jobs/lease.ts'
import {StartFailure} from '../start-failure.ts'
import {isAtLeast, unnamedVersion} from '../version.ts'
import type {SchemaStep} from './schema-steps.ts'

/** A row of `atrium_migrations`; the last three are null in rows that 0.1.0 and before wrote. */
export type AppliedStep = {
  name: string
  hash: string
  kind: string | null
  needs: string | null
  version: string | null
}
export type LiveNode = {id: string; version: string}

/** A server's version, and the migrations of its build. */
export type OwnSchema = {version: string; steps: readonly SchemaStep[]}

/** So many expand steps of a newer version may have run where this server still starts: about one version. */
export const mostStepsAhead = 10

type Rows = {query: <Row extends object>(text: string) => Promise<{rows: Row[]}>}

export const textHashOf = (text: string) => createHash('sha256').update(text).digest('hex')

/** The migrations that have run; none before the installation. */
export async function readApplied(client: Rows): Promise<AppliedStep[]> {
  const {rows} = await client.query<{step: Partial<AppliedStep>}>(
    `select to_jsonb(step) as step from ${await orNothing(client, 'atrium_migrations')} step order by to_jsonb(step)->>'name'`,
  )
  return rows.map(({step}) => {
    const {name = '', hash = '', kind = null, needs = null, version = null} = step
    return {name, hash, kind, needs, version}
  })
}

/** The live nodes with their versions, also if the table has no versions yet. */
export async function readLiveNodes(client: Rows): Promise<LiveNode[]> {
  const {rows} = await client.query<{id: string; version: string | null}>(
    `select id, version from (
       select to_jsonb(node)->>'id' as id, to_jsonb(node)->>'version' as version, to_jsonb(node)->>'heartbeat_at' as seen
       from ${await orNothing(client, 'workers')} node
     ) nodes where seen <> '-infinity' and seen::timestamptz > now() - interval '${leaseMilliseconds} milliseconds' order by id`,
  )
  return rows.map(({id, version}) => ({id, version: version ?? unnamedVersion}))
}

async function orNothing(client: Rows, table: 'atrium_migrations' | 'workers'): Promise<string> {
  const {rows} = await client.query<{known: boolean}>(`select to_regclass('public.${table}') is not null as known`)
  return rows[0]?.known === true ? `public.${table}` : '(select where false)'
}

/** Throws `StartFailure` when a server of this version cannot live with the steps that have run. */
export function checkApplied(appliedSteps: readonly AppliedStep[], {version, steps}: OwnSchema): void {
  const hashes = new Map(steps.map((step) => [step.name, textHashOf(step.text)]))
  for (const {name, hash} of appliedSteps)
    if ((hashes.get(name) ?? hash) !== hash)
      throw new StartFailure(`Migration ${name} differs from the one this database was made with.`)
  const ahead = appliedSteps.filter(({name}) => !hashes.has(name))
  for (const step of ahead) {
    if (step.kind === 'expand') continue
    if (step.kind === 'contract' && step.needs !== null && isAtLeast(version, step.needs)) continue
    throw new StartFailure(
      step.kind === 'contract'
        ? `This database was contracted by Atrium ${step.version} (migration ${step.name}); this server is ${version}. Start a version of at least ${step.needs}, or restore a backup.`
        : `The database was written by a newer Atrium (migration ${step.name}). Start that version, or restore a backup.`,
    )
  }
  if (ahead.length > mostStepsAhead) {
    throw new StartFailure(
      `This database is ${ahead.length} migrations ahead of this server, ${version}, which lives with at most ${mostStepsAhead}: it was written by Atrium ${ahead.at(-1)?.version}. Start that version, or restore a backup.`,
    )
  }
}

export type SchemaPlan = {
  /** To run now, in this order. */
  run: SchemaStep[]
  /** Contract steps that wait for the end of older nodes; none follows that is not one. */
  postponed: SchemaStep[]
}

/**
 * The migrations to run now. Their order never changes: a contract step waits for the end of every node that still uses
 * what it removes, and the later steps wait with it. Throws `StartFailure` if this server needs a waiting step: a
 * version was skipped.
 */
export function planSteps(
  appliedSteps: readonly AppliedStep[],
  {version, steps}: OwnSchema,
  nodes: readonly LiveNode[],
): SchemaPlan {
  const names = new Set(appliedSteps.map(({name}) => name))
  const pending = steps.filter(({name}) => !names.has(name))
  const olderThan = (needs: string) => nodes.filter((node) => !isAtLeast(node.version, needs))
  const at = pending.findIndex((step) => step.kind === 'contract' && olderThan(step.needs).length > 0)
  if (at === -1) return {run: pending, postponed: []}
  const [blockedStep, laterSteps] = [pending[at], pending.slice(at)]
  const neededStep = laterSteps.find(({kind}) => kind !== 'contract')
  if (neededStep !== undefined && blockedStep?.kind === 'contract') {
    throw new StartFailure(
      `This server, ${version}, needs migration ${neededStep.name}, which comes after ${blockedStep.name}, and that one waits for the end of nodes before ${blockedStep.needs} (${describeNodes(olderThan(blockedStep.needs))}). Bring all nodes to a version between first, or stop them.`,
    )
  }
  return {run: pending.slice(0, at), postponed: laterSteps}
}

/** `2 of 0.1.0, 1 of 0.2.0` */
export function describeNodes(nodes: readonly LiveNode[]): string {
  const counts = new Map<string, number>()
  for (const {version} of nodes) counts.set(version, (counts.get(version) ?? 0) + 1)
  return [...counts].map(([version, count]) => `${count} of ${version}`).join(', ')
}
