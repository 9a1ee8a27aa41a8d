import {setTimeout as pause} from 'node:timers/promises'
import type {Cut} from './lines.ts'
import type {ClusterNode, Side} from './nodes.ts'
import {until} from './own-process.ts'

/** A lease ends after four seconds; a machine that is busy may be a second late. */
const fencedAfterSeconds = 5
const backWithinSeconds = 60

/** One cut, with what its node said of itself. */
export type CutOff = {
  node: string
  side: Side
  how: Cut
  at: string
  /** Its answers once it had to know, one word for each time it was asked. */
  said: string[]
  /** Seconds from the mend until it was ready; `undefined`: it did not come back. */
  backAfter: number | undefined
}

/** Cuts a node off from one side, asks it meanwhile how it is, and mends it. */
export async function cutOff(node: ClusterNode, {side, how, lasts}: {side: Side; how: Cut; lasts: number}) {
  const line = node.lineOf(side)
  const at = new Date().toISOString()
  const said: string[] = []
  await line.cut(how)
  const begun = performance.now()
  const seconds = () => (performance.now() - begun) / 1000
  while (seconds() < lasts) {
    const isKnown = seconds() >= fencedAfterSeconds
    const state = await node.health().catch(() => 'nothing')
    // what was asked during the cut and answered after it says nothing of it
    if (isKnown && seconds() < lasts) said.push(state)
    await pause(200)
  }
  await line.mend()
  const mended = performance.now()
  const isBack = await until(`${node.name} is back`, node.isReady, backWithinSeconds).then(
    () => true,
    () => false,
  )
  const backAfter = isBack ? (performance.now() - mended) / 1000 : undefined
  return {node: node.name, side, how, at, said, backAfter} satisfies CutOff
}
