import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {mkdtempSync, rmSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {cacheFolder, distFolder} from '../paths.mjs'
import {median} from './figures.mjs'
import {freePort, runUntilReady} from './installation.mjs'
import {processorTime} from './processor-time.mjs'

const size = 10 * 1_048_576
const [warmingRounds, rounds] = [3, 20]
const program = fileURLToPath(new URL('../s3-server.mjs', import.meta.url))

/** Returns the settings of who keeps files there. @param {string} folder */
const startBucket = async (folder) => {
  const port = await freePort()
  const child = spawn(process.execPath, ['--openssl-legacy-provider', program], {
    env: {PATH: process.env['PATH'], ORDER: JSON.stringify({port, directory: folder, bucket: 'files'})},
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  const environment = {
    FILES_URL: 's3://files/bench',
    AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${port}`,
    AWS_ACCESS_KEY_ID: 'S3RVER',
    AWS_SECRET_ACCESS_KEY: 'S3RVER',
  }
  const stop = async () => {
    const exit = once(child, 'exit')
    child.kill('SIGKILL')
    await exit
  }
  return {environment, processId: child.pid ?? 0, stop}
}

/** Lines of text, each another one. */
const content = () => {
  const line = (/** @type {number} */ index) =>
    `${String(index).padStart(9, '0')} a line of a result that is kept and read\n`
  return Array.from({length: Math.ceil(size / line(0).length)}, (_, index) => line(index))
    .join('')
    .slice(0, size)
}

/**
 * Keeps and delivers the text again and again at an installation of its own.
 * @param {import('./installation.mjs').Bench} bench @param {Record<string, string>} environment
 */
const measure = async (bench, environment) => {
  const dataDir = mkdtempSync(join(cacheFolder, 'bench-files-'))
  const port = await freePort()
  const url = `http://localhost:${port}`
  const server = await runUntilReady([join(distFolder, 'server/main.js')], {
    ...bench.environment,
    PORT: String(port),
    DATA_DIR: dataDir,
    FILE_QUOTA: String(100 * size),
    ...environment,
  })
  try {
    const {accessToken} = await bench.userAt(url)
    const files = `${url}/services/platform/api/v1/files/`
    const text = content()
    const processId = server.child.pid ?? 0
    const work = () => processorTime(processId) ?? Number.NaN
    /** @type {{keep: number, deliver: number, keepWork: number, deliverWork: number}[]} */
    const measurements = []
    for (let round = 0; round < warmingRounds + rounds; round += 1) {
      const form = new FormData()
      form.set('file', new File([text], 'result.txt', {type: 'text/plain'}))
      const [startedAt, workBefore] = [performance.now(), work()]
      const headers = {authorization: `Bearer ${accessToken}`, origin: url}
      const upload = await fetch(files, {method: 'POST', headers, body: form})
      const {id, name} = await upload.json()
      if (upload.status !== 201) throw new Error(`The file was answered with ${upload.status}`)
      const [keptAt, workBetween] = [performance.now(), work()]
      const bytes = await (await fetch(`${files}${id}/${name}`)).arrayBuffer()
      if (bytes.byteLength !== size) throw new Error(`${bytes.byteLength} bytes came back`)
      const [deliveredAt, workAfter] = [performance.now(), work()]
      if (round >= warmingRounds)
        measurements.push({
          keep: keptAt - startedAt,
          deliver: deliveredAt - keptAt,
          keepWork: workBetween - workBefore,
          deliverWork: workAfter - workBetween,
        })
    }
    // a tick of the clock of processors is 10 ms: the mean, and not the median
    const mean = (/** @type {'keepWork' | 'deliverWork'} */ name) =>
      measurements.reduce((sum, each) => sum + each[name], 0) / rounds
    return {
      keep: median(measurements.map(({keep}) => keep)),
      deliver: median(measurements.map(({deliver}) => deliver)),
      keepWork: mean('keepWork'),
      deliverWork: mean('deliverWork'),
    }
  } finally {
    await server.stop()
    rmSync(dataDir, {recursive: true, force: true})
  }
}

/**
 * Measures the cost of a bucket beside the disk, for a result of 10 MB that is kept and delivered by the server. The
 * S3 server is a small one in Node.js on loopback: a real one is farther away, and its own work is not ours.
 * @type {import('./figures.mjs').Part}
 */
export const bucketCost = async (bench) => {
  const folder = mkdtempSync(join(cacheFolder, 'bench-bucket-'))
  const bucket = await startBucket(folder)
  try {
    const local = await measure(bench, {})
    const remote = await measure(bench, bucket.environment)
    const names = /** @type {const} */ ([
      ['keep', 'kept, median'],
      ['deliver', 'delivered, median'],
      ['keepWork', 'kept, processor time of the server'],
      ['deliverWork', 'delivered, processor time of the server'],
    ])
    return names.flatMap(([key, name]) => [
      {name: `disk: ${name}`, kind: /** @type {const} */ ('time'), value: local[key], unit: 'ms'},
      {name: `bucket: ${name}`, kind: /** @type {const} */ ('time'), value: remote[key], unit: 'ms'},
      {name: 'bucket beside disk', kind: /** @type {const} */ ('time'), value: remote[key] / local[key], unit: '×'},
    ])
  } finally {
    await bucket.stop()
    rmSync(folder, {recursive: true, force: true})
  }
}
