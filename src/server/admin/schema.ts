import type pg from 'pg'
import {silentLog} from '../log.ts'
import {StartFailure} from '../start-failure.ts'
import {withClient} from '../store/client.ts'
import {migrate, ownSchema} from '../store/migrate.ts'
import {describeNodes, planSteps, readApplied, readLiveNodes} from '../store/schema-state.ts'

/** Says what the database has become, what this build would do with it, and who lives on it. Changes nothing. */
export async function describeSchema(connection: pg.PoolConfig, schema = ownSchema): Promise<string[]> {
  return withClient(connection, async (client) => {
    const [appliedSteps, nodes] = [await readApplied(client), await readLiveNodes(client)]
    const names = new Set(schema.steps.map(({name}) => name))
    const list = (steps: readonly {name: string; kind: string | null}[]) =>
      steps.map(({name, kind}) => `${name} (${kind ?? 'unknown'})`).join(', ') || 'none'
    return [
      `Server: ${schema.version}, newest migration ${schema.steps.at(-1)?.name}`,
      `Database: newest migration ${appliedSteps.at(-1)?.name ?? 'none'}`,
      `Ahead of this server: ${list(appliedSteps.filter(({name}) => !names.has(name)))}`,
      ...describePlan(() => planSteps(appliedSteps, schema, nodes), list),
      `Nodes: ${describeNodes(nodes) || 'none'}`,
    ]
  })
}

function describePlan(
  plan: () => ReturnType<typeof planSteps>,
  list: (steps: readonly {name: string; kind: string}[]) => string,
): string[] {
  try {
    const {run, postponed} = plan()
    return [`Next start runs: ${list(run)}`, `Wait for the end of older nodes: ${list(postponed)}`]
  } catch (error) {
    if (error instanceof StartFailure) return [`Next start is refused: ${error.message}`]
    throw error
  }
}

/** Runs the contract steps that waited; what waits still has older nodes beside it. */
export async function contractSchema(connection: pg.PoolConfig, schema = ownSchema): Promise<string[]> {
  const {run, postponed} = await migrate(connection, silentLog, {schema})
  if (postponed.length === 0)
    return [run.length === 0 ? 'Nothing waited.' : `Done: ${run.map(({name}) => name).join(', ')}`]
  return withClient(connection, async (client) => {
    const nodes = describeNodes(await readLiveNodes(client))
    throw new StartFailure(
      `${postponed.map(({name}) => name).join(', ')} still waits: nodes that live are ${nodes}. Stop the older ones first.`,
    )
  })
}
