import {existsSync, mkdtempSync, readdirSync, readFileSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join, resolve} from 'node:path'
import {setTimeout as pause} from 'node:timers/promises'
import {drawBlows, strike} from './chaos.ts'
import {startCluster, type Cluster, type Layout} from './cluster.ts'
import {proxyProgram} from './lines.ts'
import {readOptions, usage, type Options} from './options.ts'
import {judge, type Verdict} from './oracle.ts'
import {endAll, until} from './own-process.ts'
import {createPeople, live, openDoor} from './people.ts'
import {hashOf, type User} from './user.ts'
import {poolerProgram, postgresPrograms} from './postgres.ts'
import {joined, type Records} from './records.ts'
import {countOpen, readStored} from './stored.ts'
import {hasSwift} from './store.ts'

/*
 * `npm run test:cluster` (docs/deploying.md): a whole cluster on this machine, people who use it, blows from a
 * seed, and a comparison of what people were given with what is stored.
 */

const root = resolve(import.meta.dirname, '../..')
/** After the last blow, for everything that was begun to end. */
const graceMilliseconds = 120_000
const mostShown = 40

const print = (text: string) => void process.stdout.write(`${text}\n`)

function missingPackages(store: Options['store']): string[] {
  const isThere: Record<string, boolean> = {
    'postgresql-15': existsSync(join(postgresPrograms, 'initdb')),
    pgbouncer: existsSync(poolerProgram),
    haproxy: existsSync(proxyProgram),
    'swift-proxy swift-account swift-container swift-object': store !== 'swift' || hasSwift(),
    'util-linux': existsSync('/usr/bin/setpriv'),
  }
  return Object.entries(isThere).flatMap(([name, is]) => (is ? [] : [name]))
}

/** Everybody at once, and the blows beside them. */
async function work(cluster: Cluster, {seed, minutes, people: count}: Options) {
  const begun = performance.now()
  let end = Infinity
  const isTimeUp = () => performance.now() > end
  const people = createPeople(count, {
    seed,
    port: cluster.port,
    isTimeUp,
    isOver: () => performance.now() > end + graceMilliseconds,
  })
  const say = (text: string) => print(`  ${((performance.now() - begun) / 1000).toFixed(1).padStart(6)} s  ${text}`)
  end = begun + minutes * 60_000
  const door = openDoor()
  const lives = Promise.all(people.map((user) => live(user, door)))
  const struck = await strike(cluster, drawBlows(seed, minutes * 60, cluster.nodes.length), isTimeUp, say)
  say('no more blows')
  await pause(Math.max(0, end - performance.now()))
  await lives
  say('everybody has ended')
  return {people, ...struck}
}

/** Waits until nothing runs any more, then gathers what is stored and what addresses give now. */
async function gather(cluster: Cluster, people: readonly User[]) {
  const records = joined(people.map((user) => user.records))
  const url = cluster.postgres.url()
  await Promise.all(cluster.nodes.map((node) => node.ready()))
  await until('everything has ended', async () => (await countOpen(url)) === 0, 120).catch(() => undefined)
  const stored = await readStored(url)
  const given = new Map<string, string | undefined>()
  for (const path of pathsOf(records)) {
    const response = await fetch(`http://127.0.0.1:${cluster.port}${path}`)
    const bytes = Buffer.from(await response.arrayBuffer())
    given.set(path, response.ok ? hashOf(bytes) : `status ${response.status}`)
  }
  const open = await countOpen(url)
  const deaths = cluster.nodes.flatMap((node) => node.deaths)
  return {
    records,
    stored,
    given,
    open,
    deaths,
    purchases: cluster.provider.purchases,
    sizes: await cluster.store.sizes(),
  }
}

const pathsOf = ({files, tasks}: Records): string[] => [
  ...files.flatMap(({path}) => path ?? []),
  ...tasks.flatMap((task) => task.files.map(({path}) => path)),
]

const listOf = (counts: ReadonlyMap<string, number>): string =>
  [...counts]
    .sort(([, one], [, other]) => other - one)
    .map(([name, count]) => `${String(count).padStart(8)}  ${name}`)
    .join('\n')

/** Errors in the logs of the nodes, by what they say: to be read, not judged. */
function loggedErrors(logs: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const name of readdirSync(logs).filter((file) => file.startsWith('node-')))
    for (const line of readFileSync(join(logs, name), 'utf8').split('\n')) {
      if (!line.includes('"level":"error"')) continue
      const message = (/"message":"((?:[^"\\]|\\.)*)"/.exec(line)?.[1] ?? line).slice(0, 100).replaceAll(/\d+/g, '#')
      counts.set(message, (counts.get(message) ?? 0) + 1)
    }
  return counts
}

/** How what users began has ended. */
function endsOf({questions, tasks, orders}: Records): Map<string, number> {
  const counts = new Map<string, number>()
  const count = (name: string) => counts.set(name, (counts.get(name) ?? 0) + 1)
  for (const {end, refused} of questions)
    count(`answer ${refused === undefined ? (end?.outcome ?? end?.state ?? 'without an end') : 'refused'}`)
  for (const {end} of tasks) count(`task ${end ?? 'refused'}`)
  for (const {state} of orders) count(`order ${state ?? 'refused'}`)
  return counts
}

function report(verdict: Verdict, people: readonly User[], blows: Map<string, number>, logs: string): void {
  const troubles = new Map<string, number>()
  for (const {client} of people)
    for (const [name, count] of client.troubles) troubles.set(name, (troubles.get(name) ?? 0) + count)
  print(`\nBlows:\n${listOf(blows)}`)
  print(`\nWhat users began:\n${listOf(endsOf(joined(people.map(({records}) => records))))}`)
  print(`\nWhat people were answered instead, and asked again:\n${listOf(troubles)}`)
  print(`\nErrors in the logs of the nodes (${logs}):\n${listOf(loggedErrors(logs))}`)
  print(`\nComparisons that hold:\n${listOf(verdict.counts)}`)
  for (const failure of verdict.failures.slice(0, mostShown)) print(`✗ ${failure}`)
  if (verdict.failures.length > mostShown) print(`… and ${verdict.failures.length - mostShown} more`)
}

async function main(): Promise<number> {
  let options: Options
  try {
    options = readOptions(process.argv.slice(2), Date.now() % 1_000_000)
  } catch (error) {
    print(`${error instanceof Error ? error.message : String(error)}\n${usage}`)
    return 1
  }
  const missing = missingPackages(options.store)
  if (missing.length > 0) {
    print(`Programs are missing. On Debian 12: apt-get install --no-install-recommends ${missing.join(' ')}`)
    return 1
  }
  const {seed, minutes, people: count, roles, store} = options
  const command = `npm run test:cluster -- --seed=${seed} --minutes=${minutes} --people=${count}${roles.includes('worker') ? ' --roles=split' : ''}${store === 'swift' ? '' : ` --store=${store}`}`
  print(`To repeat: ${command}`)
  const layout: Layout = {
    folder: mkdtempSync(join(tmpdir(), 'atrium-cluster-')),
    logs: join(root, '.cache/cluster', String(seed)),
    entry: join(root, 'dist/server/main.js'),
    roles,
    store,
  }
  rmSync(layout.logs, {recursive: true, force: true})
  const abandon = (code: number) =>
    void endAll()
      .then(() => rmSync(layout.folder, {recursive: true, force: true}))
      .then(() => process.exit(code))
  process.on('SIGINT', () => abandon(130)).on('SIGTERM', () => abandon(130))
  process.on('uncaughtException', (error) => {
    print(error.stack ?? error.message)
    abandon(1)
  })
  try {
    const cluster = await startCluster(layout)
    print(
      `${roles.length} nodes (${roles.join(', ')}) at http://127.0.0.1:${cluster.port}, ${cluster.store.name}; ${count} people for ${minutes} minutes`,
    )
    const {people, counts, cutOffs} = await work(cluster, options)
    const verdict = judge({...(await gather(cluster, people)), cutOffs})
    report(verdict, people, counts, layout.logs)
    for (const {client} of people) client.close()
    const passed = [...verdict.counts.values()].reduce((sum, each) => sum + each, 0)
    const failed = verdict.failures.length
    if (failed > 0) print(`To repeat: ${command}`)
    print(`\n${passed} passed, ${failed} failed`)
    await cluster.close()
    return failed === 0 ? 0 : 1
  } finally {
    await endAll()
    rmSync(layout.folder, {recursive: true, force: true})
  }
}

process.exit(await main())
