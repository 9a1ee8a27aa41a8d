import {randomBytes} from 'node:crypto'
import {readdirSync, readFileSync} from 'node:fs'
import {join, resolve} from 'node:path'
import {eq} from 'drizzle-orm'
import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, test} from 'vitest'
import {tool as flux} from '#contract/media/flux.ts'
import {exportArchive} from '#server/account/export-data.ts'
import {checkFileStores, installationId} from '#server/files/check-stores.ts'
import {newFileId} from '#server/files/file-store.ts'
import {openFileStores} from '#server/files/file-stores.ts'
import {createRemoveBytesTask} from '#server/files/remove-bytes.ts'
import {endOfError} from '#server/runs/failed-end.ts'
import {StartFailure} from '#server/start-failure.ts'
import {files} from '#server/store/schema/files.ts'
import {createAsker} from './ai.harness.ts'
import {sampleImage} from './files.fixtures.ts'
import {type TestServer, type TestUser} from './harness.ts'
import {createMediaServer, createScriptedMedia, post, readFileAt, tasksOf} from './media.harness.ts'
import {until} from './until.ts'
import {base, createPlatform} from './platform.fixtures.ts'
import {createS3, type S3} from './s3.fixtures.ts'
import {readArchive} from '../fixtures/read-archive.ts'
import {readFile as read, upload} from './upload.fixtures.ts'
import {long} from '../long.ts'

/* Files of users, in a folder and in a bucket: what people see is the same. */

let s3: S3
beforeAll(async () => {
  s3 = await createS3()
})
afterAll(() => s3.close())
afterEach(() => s3.setFault('none'))

async function namesIn({deps}: TestServer): Promise<string[]> {
  const names: string[] = []
  for await (const {name} of deps.fileStores.current.list()) names.push(name)
  return names.sort()
}

describe.each(['folder', 'bucket'])('in a %s', (kind) => {
  let server: TestServer
  let user: TestUser
  beforeAll(async () => {
    server = await createPlatform({
      config: {fileQuotaBytes: 2_000_000, ...(kind === 'folder' ? {} : {files: s3.config(newFileId())})},
    })
    await server.createUser()
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    user = await server.createUser()
  })

  test('an upload is served with its type, its name and its ranges', async () => {
    const png = await sampleImage('png')
    const {status, body} = await upload(server, user, png, 'Grüße.png')
    expect([status, body.size]).toEqual([201, png.length])
    const [row] = await server.deps.database.asSystem((transaction) =>
      transaction.select().from(files).where(eq(files.id, body.id)),
    )
    expect(row?.storedIn).toBe(server.deps.fileStores.current.name)
    const answer = await read(server, body.file_url)
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(png)
    expect(Object.fromEntries(answer.headers)).toEqual({
      'content-type': 'image/png',
      'content-length': String(png.length),
      'content-disposition': `inline; filename="Gr__e.png"; filename*=UTF-8''Gr%C3%BC%C3%9Fe.png`,
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, max-age=31536000, immutable',
      'accept-ranges': 'bytes',
      'cross-origin-opener-policy': 'same-origin-allow-popups',
      'cross-origin-resource-policy': 'same-site',
      etag: expect.any(String),
      'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
      'referrer-policy': 'no-referrer',
      vary: 'Origin',
      'x-trace-id': expect.any(String),
    })
    const part = await read(server, body.file_url, {range: 'bytes=-5'})
    expect([part.status, new Uint8Array(await part.arrayBuffer())]).toEqual([206, png.slice(-5)])
    expect((await read(server, body.file_url, {range: `bytes=${png.length}-`})).status).toBe(416)
    expect((await read(server, body.file_url, {'if-none-match': `"${body.id}"`})).status).toBe(304)
    const head = await read(server, body.file_url, {}, 'HEAD')
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(png.length)])
  })

  test('what is refused leaves nothing: another content, a quota that is full', async () => {
    const before = await namesIn(server)
    expect((await upload(server, user, new Uint8Array([1, 2, 3]), 'a.png')).status).toBe(415)
    const text = new Uint8Array(1_500_000).fill(65)
    const first = await upload(server, user, text, 'a.txt')
    const second = await upload(server, user, text, 'b.txt')
    expect([first.status, second.status]).toEqual([201, 413])
    expect(await namesIn(server)).toEqual([...before, first.body.id].sort())
  })

  test('two uploads at once cannot pass the quota together, and one leaves nothing', async () => {
    const before = await namesIn(server)
    const text = new Uint8Array(1_500_000).fill(65)
    const both = await Promise.all(['a.txt', 'b.txt'].map((name) => upload(server, user, text, name)))
    expect(both.map(({status}) => status).sort()).toEqual([201, 413])
    expect(await namesIn(server)).toHaveLength(before.length + 1)
  })

  test('a renewed address opens the same bytes, a deleted file nothing', async () => {
    const text = new TextEncoder().encode('foo')
    const {body} = await upload(server, user, text, 'foo.txt')
    const token = user.accessToken
    const renewed = await (await server.call('POST', `${base}/files/${body.id}/renew`, {token})).json()
    expect((await read(server, body.file_url)).status).toBe(404)
    expect(await (await read(server, renewed.file_url)).text()).toBe('foo')
    expect(await namesIn(server)).toContain(body.id)
    expect((await server.call('DELETE', `${base}/files/${renewed.id}`, {token})).status).toBe(204)
    expect((await read(server, renewed.file_url)).status).toBe(404)
    expect(await namesIn(server)).not.toContain(body.id)
  })

  test('a row whose bytes are gone is a 404, and the export goes on without them', async () => {
    const [kept, lost] = [
      await upload(server, user, new TextEncoder().encode('foo'), 'kept.txt'),
      await upload(server, user, new TextEncoder().encode('bar'), 'lost.txt'),
    ]
    await server.deps.fileStores.current.remove(lost.body.id)
    expect((await read(server, lost.body.file_url)).status).toBe(404)
    const archive = exportArchive(server.deps, user.user.id)
    const entries = readArchive(Buffer.from(await new Response(archive).arrayBuffer()))
    expect(entries.get(`files/${kept.body.id}/kept.txt`)).toBe('foo')
    expect([...entries.keys()].filter((name) => name.startsWith('files/'))).toHaveLength(1)
    expect(entries.get('files.json')).not.toContain('stored_in')
  })
})

describe('a bucket that is not well', () => {
  let server: TestServer
  let user: TestUser
  beforeAll(async () => {
    server = await createPlatform({config: {files: s3.config(newFileId())}})
    user = await server.createUser()
  })
  afterAll(() => server.close())
  const text = new TextEncoder().encode('foo')

  test.each([
    ['gone', 503, 'L’espace de stockage des fichiers ne répond pas. Rien n’est perdu ; réessayez dans un instant.'],
    ['slow down', 503, /^L’espace de stockage des fichiers ne répond pas/],
    ['full', 507, /^L’espace de stockage des fichiers est plein/],
    ['quota', 507, /^L’espace de stockage des fichiers est plein/],
  ] as const)('%s: an upload is refused in words, and nothing is entered', async (fault, status, words) => {
    s3.setFault(fault)
    const refused = await upload(server, user, text, 'foo.txt')
    expect(refused).toEqual({
      status,
      body: {code: 'busy', detail: expect.stringMatching(words)},
      headers: expect.any(Headers),
    })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    const rows = await server.deps.database.asUser(user.user.id, (transaction) => transaction.select().from(files))
    expect(rows).toEqual([])
  })

  test('gone: a download says so, and works again as soon as the store does', async () => {
    const {body} = await upload(server, user, text, 'foo.txt')
    s3.setFault('gone')
    const away = await read(server, body.file_url)
    expect([away.status, (await away.json()).code]).toEqual([503, 'busy'])
    s3.setFault('none')
    expect(await (await read(server, body.file_url)).text()).toBe('foo')
  })

  test('gone: a deleted file is deleted, and its bytes are taken away by a job', async () => {
    const {body} = await upload(server, user, text, 'foo.txt')
    s3.setFault('gone')
    const deleted = await server.call('DELETE', `${base}/files/${body.id}`, {token: user.accessToken})
    expect(deleted.status).toBe(204)
    expect((await read(server, body.file_url)).status).toBe(404)
    const {rows} = await server.deps.database.pool.query<{payload: unknown}>(
      `select payload from graphile_worker._private_jobs as job join graphile_worker._private_tasks as task on task.id = job.task_id
       where task.identifier = 'file-bytes-remove'`,
    )
    expect(rows.map(({payload}) => payload)).toEqual([{names: [body.id]}])
    const task = createRemoveBytesTask(server.deps)
    const job = {id: '1', workerId: 'foo', signal: new AbortController().signal}
    await expect(task(rows[0]?.payload, job)).rejects.toHaveProperty('status', 503)
    s3.setFault('none')
    expect(await namesIn(server)).toContain(body.id)
    await task(rows[0]?.payload, job)
    expect(await namesIn(server)).not.toContain(body.id)
  })

  test('gone: an answer that needs a file ends with a sentence', async () => {
    const {body} = await upload(server, user, text, 'foo.txt')
    const {findStoredFile} = await import('#server/files/stored-files.ts')
    const file = await findStoredFile(server.deps, user.user.id, body.file_url)
    s3.setFault('gone')
    const error: unknown = await file?.read().catch((reason: unknown) => reason)
    expect(endOfError(error)).toEqual({
      outcome: 'refused',
      error: {code: 'busy', message: expect.stringContaining('does not answer')},
      state: 'failed',
    })
  })

  for (const fault of ['gone', 'full'] as const)
    test(
      `${fault}: a task waits with its result, and goes on`,
      {...(fault === 'full' ? long : {}), timeout: 120_000},
      async () => {
        const media = createScriptedMedia()
        const on = await createMediaServer({
          tools: [flux],
          provider: media.provider,
          config: {files: s3.config(newFileId())},
        })
        try {
          const asker = await createAsker(on, '10')
          const {body} = await post(on, asker, '/flux/images', {prompt: 'owl', count: 1, async: true})
          await on.work()
          const making = await media.next()
          s3.setFault(fault)
          making.finish()
          await until(() =>
            on.server.logged.some(({message}) => message === 'work waits for the store of files or the database'),
          )
          expect((await tasksOf(on, asker.userId))[0]).toMatchObject({id: body.task_id, state: 'running'})
          s3.setFault('none')
          await until(async () => (await tasksOf(on, asker.userId))[0]?.state === 'succeeded')
          const task = await post(on, asker, '/flux/tasks', {action: 'retrieve', id: body.task_id})
          const [result] = task.body.response.data
          expect((await readFileAt(on, result.image_url)).status).toBe(200)
        } finally {
          await on.close()
        }
      },
    )
})

describe('the start', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await createPlatform()
  })
  afterAll(() => server.close())
  const start = async (config = s3.config(newFileId())) => {
    const fileStores = await openFileStores({...server.deps.config, files: config})
    await checkFileStores({...server.deps, fileStores})
    return fileStores
  }

  test('a bucket of another installation is refused, the own one is known again', async () => {
    const [own, foreign] = [s3.config(newFileId()), s3.config(newFileId())]
    await (await start(own)).current.ownerOf(await installationId(server.deps))
    await start(own)
    const {current} = await openFileStores({...server.deps.config, files: foreign})
    await current.ownerOf('another')
    await expect(start(foreign)).rejects.toThrow(/belongs to another installation/)
  })

  test.each([
    ['a wrong key', {credentials: {accessKeyId: 'S3RVER', secretAccessKey: 'wrong', sessionToken: undefined}}],
    ['a bucket that is not there', {bucket: {name: 's3://none', bucket: 'none', prefix: '', isPathStyle: true}}],
  ])('%s is refused with a sentence', async (_, other) => {
    const refused = start(s3.config(newFileId(), other))
    await expect(refused).rejects.toBeInstanceOf(StartFailure)
    await expect(refused).rejects.toThrow(/^FILES_URL: the store refuses s3:/)
  })

  test('a bucket that does not answer is waited for', async () => {
    s3.setFault('gone')
    await start()
    expect(server.logged.map(({message}) => message)).toContain('the store of files does not answer; files wait for it')
  })

  test('files in a store that is not named any more stop it', async () => {
    const user = await server.createUser()
    const {body} = await upload(server, user, new Uint8Array(randomBytes(3)).fill(65), 'foo.txt')
    await server.deps.database.asSystem((transaction) =>
      transaction.update(files).set({storedIn: 's3://elsewhere'}).where(eq(files.id, body.id)),
    )
    await expect(start()).rejects.toThrow(/There are files in s3:\/\/elsewhere, which is not configured/)
  })
})

test('the client of S3 is loaded by the files of its store, and those only where a bucket is configured', () => {
  const folder = resolve(import.meta.dirname, '../../src/server')
  const sources = readdirSync(folder, {recursive: true, encoding: 'utf8'})
    .filter((name) => name.endsWith('.ts'))
    .map((name) => ({name, text: readFileSync(join(folder, name), 'utf8')}))
  const naming = (pattern: RegExp) => sources.filter(({text}) => pattern.test(text)).map(({name}) => name)
  const parts = ['files/s3-read.ts', 'files/s3-store.ts', 'files/s3-uploads.ts', 'files/s3-write.ts']
  expect(naming(/'@aws-sdk\//).sort()).toEqual(parts)
  expect(naming(/from '.*\/s3-store\.ts'/)).toEqual([])
  expect(naming(/from '.*\/s3-(read|uploads|write)\.ts'/)).toEqual(['files/s3-store.ts'])
  expect(naming(/import\('.*\/s3-store\.ts'\)/)).toEqual(['files/file-stores.ts'])
})
