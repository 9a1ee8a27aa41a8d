import {eq} from 'drizzle-orm'
import {afterAll, beforeAll, beforeEach, expect, test, vi} from 'vitest'
import {uploadedFile} from '#contract/management.ts'
import {files} from '#server/store/schema/files.ts'
import {type TestServer, type TestUser} from './harness.ts'
import {ask, base, createPlatform} from './platform.fixtures.ts'

/* Uploads that are sent again: the same key and bytes are the same file (docs/decisions/0083). */

let server: TestServer
let user: TestUser
beforeAll(async () => {
  server = await createPlatform()
})
afterAll(() => server.close())
beforeEach(async () => {
  user = await server.createUser()
})

type Sent = {key?: string; content?: string; name?: string; token?: string}

async function send({key = 'key-1', content = 'foo', name = 'foo.txt', token = user.accessToken}: Sent = {}) {
  const form = new FormData()
  form.set('file', new File([content], name))
  const headers = {'idempotency-key': key}
  return server.call('POST', `${base}/files/`, {token, body: form, headers})
}
const fileOf = async (response: Response) => {
  expect(response.status).toBe(201)
  const {id, ...file} = uploadedFile.parse(await response.json())
  if (!id) throw new Error('no id')
  return {...file, id}
}
const ownFiles = () =>
  server.deps.database.asSystemOnce((database) => database.select().from(files).where(eq(files.userId, user.user.id)))
const storedNames = async () => {
  const names: string[] = []
  for await (const {name} of server.deps.fileStores.current.list()) names.push(name)
  return names
}

test('the same upload again is the same file, kept and counted once', async () => {
  const first = await send()
  expect(first.headers.has('idempotent-replay')).toBe(false)
  const before = await storedNames()
  const second = await send()
  expect(second.headers.get('idempotent-replay')).toBe('true')
  expect(await fileOf(second)).toEqual(await fileOf(first))
  expect(await ownFiles()).toHaveLength(1)
  expect(await storedNames()).toEqual(before)
})

test.each<[string, Sent]>([
  ['other bytes', {content: 'fox'}],
  ['another name', {name: 'bar.txt'}],
])('%s under the same key are refused, and the first file stays', async (_what, other) => {
  const first = await fileOf(await send())
  const refused = await send(other)
  expect(refused.status).toBe(422)
  expect((await ownFiles()).map(({id}) => id)).toEqual([first.id])
})

test('another key, and the same key of another user, are other uploads', async () => {
  const stranger = await server.createUser()
  const made = [await send(), await send({key: 'key-2'}), await send({token: stranger.accessToken})]
  const ids = new Set((await Promise.all(made.map(fileOf))).map(({id}) => id))
  expect(ids.size).toBe(3)
})

test('two at once are one file, and the bytes of the other one are taken away', async () => {
  const before = await storedNames()
  // both have looked for the key before either has entered it
  const {current} = server.deps.fileStores
  const {keep} = current
  let waiting = 0
  let release = () => {}
  const both = new Promise<void>((resolve) => (release = resolve))
  vi.spyOn(current, 'keep').mockImplementation(async (...given) => {
    waiting += 1
    if (waiting === 2) release()
    await both
    return keep(...given)
  })
  const [first, second] = await Promise.all([send(), send()])
  vi.restoreAllMocks()
  expect(waiting).toBe(2)
  expect(await fileOf(first)).toEqual(await fileOf(second))
  expect([first, second].filter(({headers}) => headers.has('idempotent-replay'))).toHaveLength(1)
  const [row, ...more] = await ownFiles()
  expect(more).toEqual([])
  expect((await storedNames()).filter((name) => !before.includes(name))).toEqual([row?.storedAs])
})

test('an address that was renewed meanwhile is the one that is given', async () => {
  const {id} = await fileOf(await send())
  const renewed = await ask(server, 'POST', `/files/${id}/renew`, {token: user.accessToken})
  expect(await fileOf(await send())).toEqual({
    id: renewed.body.id,
    file_url: expect.any(String),
    name: 'foo.txt',
    type: 'text/plain',
    size: 3,
  })
})

test('what was deleted does not come back', async () => {
  const {id} = await fileOf(await send())
  await ask(server, 'DELETE', `/files/${id}`, {token: user.accessToken})
  expect((await send()).status).toBe(404)
  expect(await ownFiles()).toEqual([])
})

test('a key that no header can be is refused before a file is kept', async () => {
  const refused = await send({key: 'x'.repeat(129)})
  expect(refused.status).toBe(400)
  expect(await ownFiles()).toEqual([])
})
