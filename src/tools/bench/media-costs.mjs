import {fileURLToPath} from 'node:url'
import {setTimeout as delay} from 'node:timers/promises'
import {figure} from './figures.mjs'
import {runUntilReady} from './installation.mjs'
import {createNodes} from './nodes.mjs'
import {processorTime} from './processor-time.mjs'

/** One node works on this many at once. */
const atOnce = 32
const lookMilliseconds = 500
const restMilliseconds = 10_000
/** Until a round has ended, however busy the machine is. */
const patienceMilliseconds = 300_000

/** @type {{title: string, path: string, body: object, count: number}[]} */
const works = [
  {title: 'an image of 3 MB made elsewhere', path: '/flux/images', body: {prompt: 'an owl'}, count: 200},
  {
    title: 'a video of 3 MB made elsewhere in 12 s',
    path: '/kling/videos',
    body: {action: 'text2video', prompt: 'a boat', model: 'kling-v1', duration: 5, mode: 'std'},
    count: 64,
  },
  {
    title: 'an image of the sandbox',
    path: '/nano-banana/images',
    body: {action: 'generate', prompt: 'an owl'},
    count: 64,
  },
]

/**
 * Measures the cost of a media task: processor time of the node that works on it, of the one that takes it and of
 * PostgreSQL, statements, and bytes of its log, less what all of them do when there is nothing to do.
 * @type {import('./figures.mjs').Part}
 */
export const mediaCosts = async (bench) => {
  await bench.stopServer()
  /** @type {(() => Promise<void>)[]} */
  const undo = [bench.restart]
  try {
    const maker = await runUntilReady([fileURLToPath(new URL('media-maker.mjs', import.meta.url))], {})
    undo.push(maker.stop)
    const nodes = await createNodes(bench, {
      OPENAI_BASE_URL: `${maker.output().trim()}/v1`,
      OPENAI_MEDIA: 'flux=foo,kling=foo',
    })
    undo.push(nodes.close)
    const serving = await nodes.start({ROLE: 'api'})
    const working = await nodes.start({ROLE: 'worker'})
    const {token} = await bench.userAt(serving.url)
    const parts = {nodes, serving, working, token}
    const figures = []
    for (const work of works) {
      // what fills caches and pools, and starts the threads of the sandbox
      await perform(nodes, serving.url, token, {...work, count: atOnce})
      figures.push(...(await measure(parts, work, await rest(parts))))
      process.stdout.write(`  ${work.title}: ${work.count} were made\n`)
    }
    return figures
  } finally {
    for (const step of undo.reverse()) await step()
  }
}

/**
 * Has so many tasks made, and resolves when all have succeeded. A round is asked for when the one before has ended.
 * @param {import('./nodes.mjs').Nodes} nodes @param {string} url @param {string} token @param {(typeof works)[number]}
 * work
 */
async function perform(nodes, url, token, {title, path, body, count}) {
  const {succeeded: before} = await nodes.tasks()
  const ask = async () => {
    const response = await fetch(`${url}/services/api${path}`, {
      method: 'POST',
      headers: {authorization: `Bearer ${token}`, 'content-type': 'application/json'},
      body: JSON.stringify({...body, async: true}),
    })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    await response.arrayBuffer()
  }
  for (let done = 0; done < count; done += atOnce) {
    // one after the other: what a user asks for at once waits for itself
    for (let round = Math.min(atOnce, count - done); round > 0; round -= 1) await ask()
    const startedAt = performance.now()
    while ((await nodes.tasks()).open > 0) {
      if (performance.now() - startedAt > patienceMilliseconds) throw new Error(`${title}: not all have ended`)
      await delay(lookMilliseconds)
    }
  }
  const resultCount = (await nodes.tasks()).succeeded - before
  if (resultCount !== count) throw new Error(`${title}: ${resultCount} of ${count} were made`)
}

/**
 * @typedef {{nodes: import('./nodes.mjs').Nodes, serving: import('./nodes.mjs').Node, working:
 * import('./nodes.mjs').Node, token: string}} Parts
 */

/** Returns the costs until now. @param {Parts} parts */
const look = async ({nodes, serving, working}) => ({
  seconds: performance.now() / 1_000,
  worker: processorTime(working.processId) ?? Number.NaN,
  server: processorTime(serving.processId) ?? Number.NaN,
  statements: await nodes.statements(),
  log: (await nodes.written()).log,
  database: nodes.databaseTimes(),
})

/** Returns the costs of `work`. @param {Parts} parts @param {() => Promise<void>} work */
async function spentBy(parts, work) {
  const before = await look(parts)
  await work()
  const after = await look(parts)
  let database = 0
  for (const [id, time] of after.database) database += time - (before.database.get(id) ?? 0)
  return {
    database,
    seconds: after.seconds - before.seconds,
    worker: after.worker - before.worker,
    server: after.server - before.server,
    statements: after.statements - before.statements,
    log: after.log - before.log,
  }
}

/** Measures an idle time with the looks at tasks, which the work costs as well. @param {Parts} parts */
const rest = (parts) =>
  spentBy(parts, async () => {
    for (let remaining = restMilliseconds; remaining > 0; remaining -= lookMilliseconds) {
      await parts.nodes.tasks()
      await delay(lookMilliseconds)
    }
  })

/**
 * @param {Parts} parts @param {(typeof works)[number]} work @param {Awaited<ReturnType<typeof rest>>} idle
 * @returns {Promise<import('./figures.mjs').Figure[]>}
 */
async function measure(parts, work, idle) {
  const costs = await spentBy(parts, () => perform(parts.nodes, parts.serving.url, parts.token, work))
  const each = (/** @type {string} */ name, /** @type {keyof typeof costs} */ what, /** @type {string} */ unit) =>
    figure(`${work.title}: ${name}`, (costs[what] - (idle[what] / idle.seconds) * costs.seconds) / work.count, unit)
  return [
    each('the node that works on it', 'worker', 'ms'),
    each('the node that takes it', 'server', 'ms'),
    each('PostgreSQL', 'database', 'ms'),
    each('statements', 'statements', ''),
    each('log of PostgreSQL', 'log', 'B'),
  ]
}
