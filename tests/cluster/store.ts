import {execFileSync} from 'node:child_process'
import {existsSync, mkdirSync, writeFileSync} from 'node:fs'
import {userInfo} from 'node:os'
import {join} from 'node:path'
import {CreateBucketCommand, paginateListObjectsV2, S3Client} from '@aws-sdk/client-s3'
import {freePort} from '../server/free-port.ts'
import {createS3, type S3} from '../server/s3.fixtures.ts'
import {OwnProcess, until} from './own-process.ts'

const prefix = 'cluster'

/** An S3 server that can be stopped, cut off and started again. */
export type Store = {
  name: string
  port: number
  /** Settings of a node that keeps its files there and reaches it at `port`. */
  settings: (port: number) => Record<string, string>
  stop: () => Promise<void>
  start: () => Promise<void>
  freeze: () => void
  thaw: () => void
  /** Bytes of each file that it holds, by its name. */
  sizes: () => Promise<Map<string, number>>
  close: () => Promise<void>
}

const settingsOf = (bucket: string, key: string, secret: string) => (port: number) => ({
  FILES_URL: `s3://${bucket}/${prefix}`,
  AWS_REGION: 'us-east-1',
  AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${port}`,
  AWS_ACCESS_KEY_ID: key,
  AWS_SECRET_ACCESS_KEY: secret,
})

/** The small one of the other tests, from the registry. */
export async function smallStore(): Promise<Store> {
  const s3: S3 = await createS3()
  return {
    name: 's3rver',
    port: Number(new URL(s3.endpoint).port),
    settings: settingsOf('files', 'S3RVER', 'S3RVER'),
    sizes: () => listSizes(s3.endpoint, 'files', 'S3RVER', 'S3RVER'),
    stop: s3.kill,
    start: s3.start,
    freeze: () => s3.setFault('silent'),
    thaw: () => s3.setFault('none'),
    close: s3.close,
  }
}

const servers = ['account', 'container', 'object'] as const
export const swiftPrograms = [...servers, 'proxy'].map((name) => `/usr/bin/swift-${name}-server`)
/** The file that Swift always reads; Debian's package brings it. */
export const swiftFile = '/etc/swift/swift.conf'
const [key, secret, bucket] = ['test:tester', 'testing', 'atrium']

/** Debian's Swift with one copy of everything, spoken to by its S3 interface. */
export async function swiftStore(folder: string, logs: string): Promise<Store> {
  const [rings, devices] = [join(folder, 'rings'), join(folder, 'devices')]
  for (const path of [rings, join(devices, 'd1'), join(folder, 'cache')]) mkdirSync(path, {recursive: true})
  const common = (port: number) => [
    '[DEFAULT]',
    'bind_ip = 127.0.0.1',
    `bind_port = ${port}`,
    'workers = 0',
    `user = ${userInfo().username}`,
    `swift_dir = ${rings}`,
    'log_address = /nonexistent',
  ]
  const start = (name: string) =>
    new OwnProcess({
      name: `swift-${name}`,
      command: [`/usr/bin/swift-${name}-server`, join(rings, `${name}-server.conf`)],
      logs,
    })

  for (const name of servers) {
    const port = await freePort()
    const ring = join(rings, `${name}.builder`)
    for (const order of [['create', '6', '1', '1'], ['add', `r1z1-127.0.0.1:${port}/d1`, '100'], ['rebalance']])
      execFileSync('/usr/bin/swift-ring-builder', [ring, ...order], {stdio: 'ignore'})
    writeFileSync(
      join(rings, `${name}-server.conf`),
      [
        ...common(port),
        `devices = ${devices}`,
        ...['mount_check = false', 'disable_fallocate = true', 'fallocate_reserve = 0'],
        ...['[pipeline:main]', `pipeline = ${name}-server`],
        ...[`[app:${name}-server]`, `use = egg:swift#${name}`, `recon_cache_path = ${join(folder, 'cache')}`],
      ].join('\n'),
    )
    start(name)
  }

  const port = await freePort()
  const middleware = ['catch_errors', 'gatekeeper', 'healthcheck', 'memcache', 'listing_formats', 'bulk']
  const behind = ['s3api', 'tempauth', 'copy', 'slo', 'dlo', 'versioned_writes', 'proxy_logging']
  const options: Record<string, string[]> = {
    // nobody listens there: nothing is remembered between requests
    memcache: [`memcache_servers = 127.0.0.1:${await freePort()}`],
    s3api: ['location = us-east-1'],
    tempauth: [`user_test_tester = ${secret} .admin`],
  }
  writeFileSync(
    join(rings, 'proxy-server.conf'),
    [
      ...common(port),
      ...['[pipeline:main]', `pipeline = ${[...middleware, ...behind].join(' ')} proxy-server`],
      ...['[app:proxy-server]', 'use = egg:swift#proxy', 'account_autocreate = true'],
      ...[...middleware, ...behind].flatMap((name) => [
        `[filter:${name}]`,
        `use = egg:swift#${name}`,
        ...(options[name] ?? []),
      ]),
    ].join('\n'),
  )
  const endpoint = `http://127.0.0.1:${port}`
  let proxy = start('proxy')
  const ready = () =>
    until('Swift answers', async () => {
      const response = await fetch(`${endpoint}/healthcheck`, {signal: AbortSignal.timeout(1_000)})
      return response.ok
    })
  await ready()
  await makeBucket(endpoint)
  return {
    name: 'Swift',
    port,
    settings: settingsOf(bucket, key, secret),
    sizes: () => listSizes(endpoint, bucket, key, secret),
    stop: async () => void (await proxy.signal('SIGKILL')),
    start: async () => {
      proxy = start('proxy')
      await ready()
    },
    freeze: () => proxy.freeze(),
    thaw: () => proxy.thaw(),
    close: async () => undefined,
  }
}

const clientOf = (endpoint: string, accessKeyId: string, secretAccessKey: string) =>
  new S3Client({endpoint, region: 'us-east-1', forcePathStyle: true, credentials: {accessKeyId, secretAccessKey}})

async function makeBucket(endpoint: string): Promise<void> {
  const client = clientOf(endpoint, key, secret)
  try {
    await client.send(new CreateBucketCommand({Bucket: bucket}))
  } finally {
    client.destroy()
  }
}

async function listSizes(endpoint: string, name: string, id: string, password: string): Promise<Map<string, number>> {
  const client = clientOf(endpoint, id, password)
  const sizes = new Map<string, number>()
  try {
    for await (const {Contents = []} of paginateListObjectsV2({client}, {Bucket: name, Prefix: `${prefix}/`}))
      for (const {Key = '', Size} of Contents) sizes.set(Key.slice(prefix.length + 1), Size ?? 0)
    return sizes
  } finally {
    client.destroy()
  }
}

export const hasSwift = (): boolean => [...swiftPrograms, swiftFile].every((path) => existsSync(path))
