import {setTimeout as pause} from 'node:timers/promises'
import {seeded} from '../../e2e/support/toxics.ts'
import type {Cluster} from './cluster.ts'
import {cutOff, type CutOff} from './cut-off.ts'
import {cuts, type Cut} from './lines.ts'
import type {Side} from './nodes.ts'

/* The faults of a run are drawn from the seed before it, so that it can be repeated. */

const kinds = [
  ...['kill', 'kill', 'kill', 'stop', 'stop', 'freeze', 'freeze'],
  ...['database fast', 'database immediate', 'pooler', 'store', 'store frozen'],
  ...['cut off from database', 'cut off from database', 'cut off from store', 'cut off from people'],
] as const
type Kind = (typeof kinds)[number]

export type Blow = {
  /** Seconds of quiet before it. */
  after: number
  kind: Kind
  /** Index of the node that it hits, of those that are hit. */
  node: number
  /** The way in which a cut breaks a line. */
  cut: Cut
  /** Seconds until what it hit is back. */
  lasts: number
  /** Whether the next one begins before its end. */
  overlaps: boolean
}

const [shortestQuiet, longestQuiet, longestBlow, longestCut] = [2, 10, 8, 14]

/** Blows for so many seconds. */
export function drawBlows(seed: number, seconds: number, nodes: number): Blow[] {
  const random = seeded(seed)
  for (let turn = 0; turn < 8; turn += 1) random()
  const blows: Blow[] = []
  for (let at = 0; at < seconds;) {
    const after = shortestQuiet + random() * (longestQuiet - shortestQuiet)
    const kind = kinds[Math.floor(random() * kinds.length)] ?? 'kill'
    const lasts = 0.5 + random() * ((sideOf(kind) === undefined ? longestBlow : longestCut) - 0.5)
    const overlaps = random() < 0.25
    const cut = cuts[Math.floor(random() * cuts.length)] ?? 'silent'
    blows.push({after, kind, node: Math.floor(random() * nodes), cut, lasts, overlaps})
    at += after + (overlaps ? 0 : lasts)
  }
  return blows
}

/** Returns the side from which a blow cuts a node off. */
const sideOf = (kind: Kind): Side | undefined =>
  (['database', 'store', 'people'] as const).find((side) => kind === `cut off from ${side}`)

export type Struck = {
  /** How many blows of each kind there were. */
  counts: Map<string, number>
  cutOffs: CutOff[]
}

/** Strikes until the time is up, then waits until all is back. */
export async function strike(
  cluster: Cluster,
  blows: readonly Blow[],
  isTimeUp: () => boolean,
  say: (text: string) => void,
): Promise<Struck> {
  const counts = new Map<string, number>()
  const cutOffs: CutOff[] = []
  const busy = new Map<string, Promise<void>>()
  for (const blow of blows) {
    await pause(blow.after * 1000)
    if (isTimeUp()) break
    const target = targetOf(blow)
    // one thing is not hit twice at once
    await busy.get(target)
    const name = sideOf(blow.kind) === undefined ? blow.kind : `${blow.kind}, ${blow.cut}`
    counts.set(name, (counts.get(name) ?? 0) + 1)
    say(`${name.startsWith(target) ? name : `${target}: ${name}`} for ${blow.lasts.toFixed(1)} s`)
    const done = hit(cluster, blow, cutOffs)
    busy.set(target, done)
    done.catch(() => undefined) // it is awaited below or at the end
    if (!blow.overlaps) await done
  }
  await Promise.all(busy.values())
  return {counts, cutOffs}
}

/** Returns the target of a blow: a node, or the first word of the kind. */
const targetOf = ({kind, node}: Blow): string =>
  ['kill', 'stop', 'freeze', 'cut'].includes(kind.split(' ', 1)[0] ?? '')
    ? `node-${node + 1}`
    : (kind.split(' ', 1)[0] ?? '')

async function hit(
  {nodes, postgres, pooler, store}: Cluster,
  {kind, node: index, lasts, cut}: Blow,
  cutOffs: CutOff[],
): Promise<void> {
  const rest = () => pause(lasts * 1000)
  const node = nodes[index]
  if (node === undefined) throw new Error(`There is no node ${index}.`)
  switch (kind) {
    case 'kill':
      await node.stop('SIGKILL')
      await rest()
      node.start()
      return node.backAgain()
    case 'stop': {
      const how = await node.stop('SIGTERM')
      if (how !== 0) node.deaths.push(`${new Date().toISOString()} ${node.name} was told to stop and ended with ${how}`)
      await rest()
      node.start()
      return node.backAgain()
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
    case 'cut off from database':
    case 'cut off from store':
    case 'cut off from people':
      cutOffs.push(await cutOff(node, {side: sideOf(kind) ?? 'database', how: cut, lasts}))
      return
  }
}
