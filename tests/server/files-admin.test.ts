import {randomBytes} from 'node:crypto'
import {existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {withCluster, withDatabase} from '#server/admin/open-installation.ts'
import {runAdmin} from '#server/admin/run-admin.ts'
import {createUser} from '#server/auth/users.ts'
import {newFileId} from '#server/files/file-store.ts'
import {openFileStores} from '#server/files/file-stores.ts'
import {silentLog} from '#server/log.ts'
import {readConfig} from '#server/read-config.ts'
import {StartFailure} from '#server/start-failure.ts'
import {startEmbeddedPostgres, type EmbeddedPostgres} from '#server/store/embedded-postgres.ts'
import {files} from '#server/store/schema/files.ts'
import {createS3, type S3} from './s3.fixtures.ts'

/*
 * The operator's commands for files, with the settings as they stand in the environment, while the database runs.
 * (`store-admin.test.ts` has commands that start it.)
 */

let s3: S3
let folder: string
let cluster: EmbeddedPostgres
let bucket: Record<string, string>
let userId: string
const entries: {id: string; content: Buffer}[] = []
const now = () => new Date()
beforeAll(async () => {
  s3 = await createS3()
  folder = mkdtempSync(join(tmpdir(), 'atrium-files-admin-'))
  bucket = {
    FILES_URL: `s3://files/${newFileId()}`,
    AWS_ENDPOINT_URL_S3: s3.endpoint,
    AWS_ACCESS_KEY_ID: 'S3RVER',
    AWS_SECRET_ACCESS_KEY: 'S3RVER',
  }
  cluster = await startEmbeddedPostgres(folder, silentLog, {fsync: 'off'})
  await withDatabase(configOf(), async (database) => {
    const user = await createUser({database, now}, {email: 'one@example.com', password: 'correct horse'})
    userId = user?.id ?? ''
  })
  mkdirSync(join(folder, 'files'))
  for (let index = 0; index < 3; index += 1) await keep(randomBytes(1_000))
}, 180_000)
afterAll(async () => {
  await cluster.stop()
  await s3.close()
  rmSync(folder, {recursive: true, force: true})
})

const configOf = (environment: Record<string, string> = {}) => readConfig({DATA_DIR: folder, ...environment})
async function keep(content: Buffer) {
  const id = newFileId()
  writeFileSync(join(folder, 'files', id), content)
  await withDatabase(configOf(), (database) =>
    database.asSystem((transaction) =>
      transaction.insert(files).values({
        id,
        userId,
        storedAs: id,
        storedIn: 'local',
        name: 'foo.txt',
        type: 'text/plain',
        size: content.length,
        createdAt: now(),
      }),
    ),
  )
  entries.push({id, content})
}
async function admin(environment: Record<string, string>, ...parameters: string[]) {
  let output = ''
  const write = (text: string) => void (output += text)
  const code = await runAdmin(parameters, {environment: {DATA_DIR: folder, ...environment}, write})
  return {code, output}
}
const inFolder = () => readdirSync(join(folder, 'files')).filter((name) => /^[\w-]{22}$/.test(name))

describe('files', {timeout: 180_000}, () => {
  test('move to a bucket that is not there: a sentence, and all stays', async () => {
    const moving = admin({...bucket, FILES_URL: 's3://none/foo'}, 'files', 'move')
    await expect(moving).rejects.toBeInstanceOf(StartFailure)
    await expect(moving).rejects.toThrow(/^FILES_URL: the store refuses s3:\/\/none\/foo \(NoSuchBucket\)/)
    expect(inFolder()).toHaveLength(3)
  })

  test('move, check and sweep tell what they did', async () => {
    const {code, output} = await admin(bucket, 'files', 'move')
    expect([code, output]).toEqual([
      0,
      [
        `Moving to ${bucket['FILES_URL']}`,
        '  3 files, 0.0 MB',
        'Moved 3 files, 0.0 MB; 0.0 MB freed where they were',
        '',
      ].join('\n'),
    ])
    expect(inFolder()).toEqual([])
    const {current} = await openFileStores(configOf(bucket))
    for (const {id, content} of entries) {
      const bytes = await new Response(await current.open(id, {start: 0, end: content.length - 1})).arrayBuffer()
      expect(Buffer.from(bytes).equals(content)).toBe(true)
    }
    expect(await admin(bucket, 'files', 'check')).toEqual({
      code: 0,
      output: [
        '3 files, 0.0 MB',
        'without their bytes: 0',
        'bytes that no file names: 0, 0.0 MB; younger than a week: 0, 0.0 MB',
        // the small store does not list them
        'uploads that never ended: the store does not tell',
        '',
      ].join('\n'),
    })
    const [lost] = entries
    await current.remove(lost?.id ?? '')
    const checked = await admin(bucket, 'files', 'check')
    expect(checked).toEqual({code: 1, output: expect.stringContaining(`without their bytes: 1\n  ${lost?.id}\n`)})
    const swept = await admin(bucket, 'files', 'sweep')
    expect(swept).toEqual({
      code: 0,
      output: expect.stringContaining('Taken away: 1 without bytes, 0 without an entry (0.0 MB), 0 unfinished'),
    })
    expect((await admin(bucket, 'files', 'check')).code).toBe(0)
  })

  test('without the bucket in the settings a command says which one is missing', async () => {
    await expect(admin({}, 'files', 'check')).rejects.toThrow(`There are files in ${bucket['FILES_URL']}`)
  })

  test('two moves at once: the second is refused', async () => {
    await withCluster(configOf(), async ({connection}) => {
      const {default: pg} = await import('pg')
      const client = new pg.Client(connection)
      await client.connect()
      await client.query('select pg_advisory_lock(4163503)')
      await expect(admin(bucket, 'files', 'move')).rejects.toThrow('Another `files move` is at work.')
      await client.end()
    })
  })

  test('a backup says what is not in it', async () => {
    const target = join(folder, 'backup')
    const {output} = await admin(bucket, 'backup', target)
    expect(output).toContain(`Not in it: the files in ${bucket['FILES_URL']}`)
    expect(existsSync(join(target, 'postgres'))).toBe(true)
  })

  test('back to the folder', async () => {
    const {FILES_URL = '', ...store} = bucket
    const {code, output} = await admin({...store, FILES_FORMER_URL: FILES_URL}, 'files', 'move')
    expect([code, output]).toEqual([0, expect.stringContaining('Moved 2 files')])
    expect(inFolder()).toHaveLength(2)
    expect((await admin({}, 'files', 'check')).code).toBe(0)
  })

  test('another word is no command', async () => {
    await expect(admin({}, 'files', 'copy')).rejects.toThrow('There is no command files copy.')
  })
})
