import {setTimeout as pause} from 'node:timers/promises'
import {seeded} from '../../e2e/support/toxics.ts'
import type {Cluster} from './cluster.ts'

/* What goes wrong, drawn from the seed before the run, so that it can be repeated. */

const kinds = [
  ...['kill', 'kill', 'kill', 'stop', 'stop', 'freeze', 'freeze'],
  ...['database fast', 'database immediate', 'pooler', 'store', 'store frozen'],
] as const satisfies readonly Kind[]
type Kind = 'kill' | 'stop' | 'freeze' | 'database fast' | 'database immediate' | 'pooler' | 'store' | 'store frozen'

export type Blow = {
  /** Seconds of quiet before it. */
  after: number
  kind: Kind
  /** Index of the node that it hits, of those that are hit. */
  node: number
  /** Seconds until what it hit is back. */
  lasts: number
  /** Whether the next one begins before its end. */
  overlaps: boolean
}

const [shortestQuiet, longestQuiet, longestBlow] = [2, 10, 8]

/** Blows for so many seconds. */
export function drawBlows(seed: number, seconds: number, nodes: number): Blow[] {
  const random = seeded(seed)
  for (let turn = 0; turn < 8; turn += 1) random()
  const blows: Blow[] = []
  for (let at = 0; at < seconds;) {
    const after = shortestQuiet + random() * (longestQuiet - shortestQuiet)
    const lasts = 0.5 + random() * (longestBlow - 0.5)
    const kind = kinds[Math.floor(random() * kinds.length)] ?? 'kill'
    const overlaps = random() < 0.25
    blows.push({after, kind, node: Math.floor(random() * nodes), lasts, overlaps})
    at += after + (overlaps ? 0 : lasts)
  }
  return blows
}

/** Strikes until the time is up, then waits until all is back. Gives how many of each kind there were. */
export async function strike(
  cluster: Cluster,
  blows: readonly Blow[],
  isTimeUp: () => boolean,
  say: (text: string) => void,
): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  const busy = new Map<string, Promise<void>>()
  for (const blow of blows) {
    await pause(blow.after * 1000)
    if (isTimeUp()) break
    const target = targetOf(blow)
    // one thing is not hit twice at once
    await busy.get(target)
    counts.set(blow.kind, (counts.get(blow.kind) ?? 0) + 1)
    const name = target === 'node' ? '' : ` ${target}`
    say(`${blow.kind}${blow.kind.startsWith(target) ? '' : name} for ${blow.lasts.toFixed(1)} s`)
    const done = hit(cluster, blow)
    busy.set(target, done)
    done.catch(() => undefined) // it is awaited below or at the end
    if (!blow.overlaps) await done
  }
  await Promise.all(busy.values())
  return counts
}

const targetOf = ({kind, node}: Blow): string =>
  ['kill', 'stop', 'freeze'].includes(kind) ? `node-${node + 1}` : (kind.split(' ', 1)[0] ?? '')

async function hit({nodes, postgres, pooler, store}: Cluster, {kind, node: index, lasts}: Blow): Promise<void> {
  const rest = () => pause(lasts * 1000)
  const node = nodes[index]
  if (node === undefined) throw new Error(`There is no node ${index}.`)
  switch (kind) {
    case 'kill':
      await node.stop('SIGKILL')
      await rest()
      node.start()
      return node.ready()
    case 'stop': {
      const how = await node.stop('SIGTERM')
      if (how !== 0) node.deaths.push(`${new Date().toISOString()} ${node.name} was told to stop and ended with ${how}`)
      await rest()
      node.start()
      return node.ready()
    }
    case 'freeze':
      node.freeze()
      await rest()
      return node.thaw()
    case 'database fast':
    case 'database immediate':
      await postgres.stop(kind === 'database fast' ? 'fast' : 'immediate')
      await rest()
      return postgres.start()
    case 'pooler':
      await pooler.stop()
      await rest()
      return pooler.start()
    case 'store':
      await store.stop()
      await rest()
      return store.start()
    case 'store frozen':
      store.freeze()
      await rest()
      return store.thaw()
  }
}
