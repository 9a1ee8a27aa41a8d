import {existsSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {mediaDeadlines} from '#server/providers/openai/media-request.ts'
import {answerDeadlines} from '#server/providers/call-upstream.ts'
import {readConfig} from '#server/read-config.ts'
import {connectionsOfNode, connectionsOfPooler, directConnectionsOfNode} from '#server/store/database.ts'
import {longestTurnMilliseconds} from '#server/store/take-turn.ts'
import {compose, deployments, dockerfile, manifests, read, root} from './deploy-files.ts'

/** Every variable that the table of settings names. */
const settings = new Set(
  [...read('docs/configuration.md').matchAll(/^\| (`[A-Z].*?) \|/gm)].flatMap(([, names = '']) =>
    [...names.matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map(([, name = '']) => name),
  ),
)
/** The variables of Node itself. */
const ofNode = ['NODE_ENV']
const nodes = Object.entries(compose.services).filter(([, {build}]) => build !== undefined)
type Budget = {spec: {maxUnavailable: number; selector: {matchLabels: Record<string, string>}}}
const unit = read('deploy/systemd/atrium@.service')
/** `NAME=value` pairs of a line or of continued lines. */
const assigned = (text: string) => [...text.matchAll(/(?:^|\s)([A-Z][A-Z0-9_]+)=/gm)].map(([, name = '']) => name)

const secondsOf = (proxy: string, name: string) => Number(new RegExp(`^ *${name} (\\d+)s$`, 'm').exec(proxy)?.[1])
const [, look = ''] = /^const lookDeadline = ([\d_]+)$/m.exec(read('src/server/http/health.ts')) ?? []
const lookMilliseconds = Number(look.replace('_', ''))

const unknown = (names: readonly string[]) => names.filter((name) => !settings.has(name) && !ofNode.includes(name))

describe('the files to run several nodes', () => {
  test('hold no secret that would work, and none that is filled in gets into the repository or the image', () => {
    const secret = manifests.find(({kind}) => kind === 'Secret')?.stringData?.SECRET ?? ''
    expect(() => readConfig({SECRET: secret})).toThrow('SECRET')
    for (const list of ['.gitignore', '.dockerignore']) expect(read(list).split('\n')).toContain('deploy/.env')
  })

  test('give a look at the health of a node its time, and requests that are on their way to an old node', () => {
    for (const {spec} of deployments)
      for (const {readinessProbe, env, lifecycle} of spec.template.spec.containers) {
        expect(readinessProbe.timeoutSeconds).toBeGreaterThan(2)
        if (env.some(({value}) => value === 'all')) expect(lifecycle?.preStop.exec.command).toEqual(['sleep', '5'])
      }
  })

  test('name settings that the server has', () => {
    expect(settings.size).toBeGreaterThan(30)
    for (const [, {environment = {}}] of nodes) expect(unknown(Object.keys(environment))).toEqual([])
    for (const {data, stringData} of manifests) expect(unknown(Object.keys({...data, ...stringData}))).toEqual([])
    for (const {spec} of deployments)
      for (const {env} of spec.template.spec.containers) expect(unknown(env.map(({name}) => name))).toEqual([])
    const environment = /^ENV ([\s\S]*?[^\\])\n/m.exec(dockerfile)?.[1] ?? ''
    expect(unknown(assigned(environment))).toEqual([])
    expect(unknown(assigned(/^Environment=(.*)$/m.exec(unit)?.[1] ?? ''))).toEqual([])
  })

  test('give a role to each node, and every node an address to be looked at', () => {
    expect(nodes.map(([, {environment}]) => environment?.ROLE)).toEqual(['all', 'all', 'worker'])
    const containers = deployments.flatMap(({spec}) => spec.template.spec.containers)
    expect(containers.map(({env}) => env.find(({name}) => name === 'ROLE')?.value)).toEqual(['all', 'worker'])
    expect(containers.map(({readinessProbe}) => readinessProbe.httpGet.path)).toEqual(['/healthz', '/healthz'])
    expect(containers.map(({ports}) => ports.map(({containerPort}) => containerPort))).toEqual([[4000], [4000]])
    expect(containers[1]?.env.find(({name}) => name === 'HEALTH_PORT')?.value).toBe('4000')
    expect(compose.services['worker-1']?.environment?.HEALTH_PORT).toBe(4000)
    const proxy = read('deploy/haproxy.compose.cfg')
    for (const file of [proxy, read('deploy/haproxy.cfg')]) {
      expect(file).toContain('  option httpchk GET /healthz?away=404\n')
      // a node that takes nothing new keeps what it has
      expect(file).toContain('  http-check disable-on-404\n')
      // a node that looks after its database answers in time, so that it is not taken for one that stands still
      expect(secondsOf(file, 'timeout check') * 1_000).toBeGreaterThanOrEqual(lookMilliseconds + 500)
    }
    const answering = nodes.filter(([, {environment}]) => environment?.ROLE === 'all').map(([name]) => name)
    const led = [...proxy.matchAll(/^ *server (\S+) (\S+):4000$/gm)].map(([, ...names]) => names)
    expect(led).toEqual(answering.map((name) => [name, name]))
    expect(read('src/server/http/health.ts')).toContain(`'/healthz'`)
  })

  test('wait for an answer in one piece as long as the server waits for the first word of a model', () => {
    const ingress = manifests.find(({kind}) => kind === 'Ingress')
    const patience = [
      ...['deploy/haproxy.cfg', 'deploy/haproxy.compose.cfg'].map((name) => secondsOf(read(name), 'timeout server')),
      Number(ingress?.metadata.annotations?.['nginx.ingress.kubernetes.io/proxy-read-timeout']),
    ]
    const longest = Math.max(answerDeadlines.firstByteMilliseconds, mediaDeadlines.firstByteMilliseconds)
    for (const seconds of patience) expect(seconds * 1_000).toBeGreaterThanOrEqual(longest + 30_000)
    expect(read('docs/deploying.md')).toContain(`${patience[0]} s until the first byte of a response`)
  })

  test('end no node that waits for its turn to prepare the database, or whose database is away', () => {
    for (const {spec} of deployments)
      for (const {startupProbe, livenessProbe} of spec.template.spec.containers) {
        const patience = startupProbe.periodSeconds * startupProbe.failureThreshold * 1_000
        expect(patience).toBeGreaterThan(longestTurnMilliseconds + 30_000)
        expect(livenessProbe.httpGet.path).toBe('/livez')
      }
    expect(read('src/server/http/health.ts')).toContain(`'/livez'`)
  })

  test('keep a node of each kind while a machine is emptied, and two of them apart', () => {
    // as: manifests of this kind have these fields
    const budgets = manifests.filter(({kind}) => kind === 'PodDisruptionBudget') as unknown as Budget[]
    for (const {spec} of deployments) {
      expect(spec.replicas).toBeGreaterThan(1)
      const {labels} = spec.template.metadata
      expect(budgets.filter(({spec: {selector}}) => selector.matchLabels['role'] === labels['role'])).toEqual([
        {
          spec: {maxUnavailable: 1, selector: {matchLabels: labels}},
          apiVersion: 'policy/v1',
          kind: 'PodDisruptionBudget',
          metadata: {name: expect.any(String)},
        },
      ])
      expect(spec.template.spec.topologySpreadConstraints).toEqual([
        {
          topologyKey: 'kubernetes.io/hostname',
          labelSelector: {matchLabels: labels},
          maxSkew: 1,
          whenUnsatisfiable: 'ScheduleAnyway',
        },
      ])
    }
  })

  test('have a database that takes the connections of all nodes, and of one more while they are replaced', () => {
    const [, most = '0'] = /max_connections=(\d+)/.exec(compose.services['database']?.command?.join(' ') ?? '') ?? []
    expect(Number(most)).toBeGreaterThan((nodes.length + 1) * connectionsOfNode + 10)
  })

  test('run nothing as root and write nowhere but where they must', () => {
    expect(dockerfile.match(/^USER (.*)$/gm)?.at(-1)).toBe('USER node')
    for (const [, node] of nodes)
      expect([node.read_only, node.cap_drop, node.security_opt]).toEqual([true, ['ALL'], ['no-new-privileges:true']])
    for (const {spec} of deployments) {
      expect(spec.template.spec.securityContext).toEqual({
        runAsNonRoot: true,
        runAsUser: 1000,
        runAsGroup: 1000,
        fsGroup: 1000,
        seccompProfile: {type: 'RuntimeDefault'},
      })
      for (const {securityContext} of spec.template.spec.containers)
        expect(securityContext).toEqual({
          readOnlyRootFilesystem: true,
          allowPrivilegeEscalation: false,
          capabilities: {drop: ['ALL']},
        })
    }
    expect(unit).toMatch(/^User=atrium$/m)
    expect(unit).toMatch(/^ProtectSystem=strict$/m)
  })

  test('let a node end in its own time', () => {
    // what a node may need beyond DRAIN_SECONDS, and some to spare
    const [, beyond = ''] = /^const stopMilliseconds = ([\d_]+)$/m.exec(read('src/server/main.ts')) ?? []
    const needed = (drain: unknown, before = 0) => Number(drain) + Number(beyond.replace('_', '')) / 1_000 + before + 5
    for (const [, node] of nodes) {
      expect(Number(node.environment?.DRAIN_SECONDS)).toBeGreaterThanOrEqual(20)
      expect(Number.parseInt(node.stop_grace_period ?? '')).toBeGreaterThanOrEqual(
        needed(node.environment?.DRAIN_SECONDS),
      )
    }
    const drain = manifests.find(({kind}) => kind === 'ConfigMap')?.data?.DRAIN_SECONDS
    expect(Number(drain)).toBeGreaterThanOrEqual(20)
    for (const {spec} of deployments)
      expect(spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(needed(drain, 5))
    const ofUnit = /DRAIN_SECONDS=(\d+)/.exec(unit)?.[1]
    expect(Number(ofUnit)).toBeGreaterThanOrEqual(20)
    expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThanOrEqual(needed(ofUnit))
    // no shell between the signal and the server
    expect(dockerfile).toMatch(/^CMD \["node", .*"dist\/server\/main\.js"\]$/m)
  })

  test('name a version of each image, and files that exist', () => {
    const images = [
      ...Object.values(compose.services).flatMap(({image}) => image ?? []),
      ...deployments.flatMap(({spec}) => spec.template.spec.containers.map(({image}) => image)),
      ...[...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image = '']) => image),
    ]
    expect(images.filter((image) => !/:\d+\.\d+/.test(image))).toEqual([])
    for (const [, {build}] of nodes) expect(existsSync(join(root, build?.dockerfile ?? ''))).toBe(true)
    const example = assigned(read('deploy/.env.example'))
    const wanted = [...read('deploy/compose.yaml').matchAll(/\$\{([A-Z_]+)/g)].map(([, name = '']) => name)
    expect(new Set(wanted)).toEqual(new Set(example))
  })
})

test('PgBouncer takes what the nodes open, in transaction mode, and comes back soon after the database', () => {
  const lines = read('deploy/pgbouncer.ini').split('\n')
  const settings = Object.fromEntries(lines.filter((line) => !/^[;[]|^$/.test(line)).map((line) => line.split(/ =\s*/)))
  expect(settings).toEqual({
    pool_mode: 'transaction',
    auth_type: 'scram-sha-256',
    server_login_retry: '1',
    atrium: expect.any(String),
    listen_addr: expect.any(String),
    listen_port: '6432',
    unix_socket_dir: '',
    default_pool_size: '20',
    max_client_conn: '500',
    auth_file: '/etc/pgbouncer/users.txt',
    auth_user: 'postgres',
    query_wait_timeout: '20',
  })
  const pooled = connectionsOfNode - directConnectionsOfNode
  expect(Number(settings['max_client_conn'])).toBeGreaterThan((nodes.length + 1) * pooled)
  expect(lines).toContain(`; each node opens up to ${pooled}`)
  // the users of work and of requests
  expect(connectionsOfPooler).toBe(2 * Number(settings['default_pool_size']))
  const direct = directConnectionsOfNode
  expect(lines.join('\n')).toContain(
    `PostgreSQL takes ${connectionsOfPooler} + ${direct} for each node and one more + 10`,
  )
  expect(read('docs/deploying.md')).toContain(`${direct} × (nodes + 1) + ${connectionsOfPooler} + 10`)
})
