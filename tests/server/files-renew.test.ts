import {eq} from 'drizzle-orm'
import {afterAll, beforeAll, beforeEach, describe, expect, test} from 'vitest'
import {uploadedFile} from '#contract/management.ts'
import {findStoredFile} from '#server/files/stored-files.ts'
import {conversations, messages} from '#server/store/schema/chat.ts'
import {taskArtifacts, tasks} from '#server/store/schema/media.ts'
import {users} from '#server/store/schema/people.ts'
import {sites} from '#server/store/schema/platform.ts'
import {type TestServer, type TestUser} from './harness.ts'
import {ask, base, createPlatform} from './platform.fixtures.ts'

let server: TestServer
let owner: TestUser
beforeAll(async () => {
  server = await createPlatform()
  await server.createUser()
})
afterAll(() => server.close())
beforeEach(async () => {
  owner = await server.createUser()
})

async function upload(content = 'foo', name = 'foo bar.txt') {
  const form = new FormData()
  form.set('file', new File([content], name))
  const response = await server.call('POST', `${base}/files/`, {token: owner.accessToken, body: form})
  const {id, ...file} = uploadedFile.parse(await response.json())
  if (!id) throw new Error('no id')
  return {...file, id}
}
const read = (address: string) => server.call('GET', new URL(address).pathname, {origin: null})
const renew = (id: string, token = owner.accessToken) => ask(server, 'POST', `/files/${id}/renew`, {token})
const insertTask = (file: {id: string}, state: 'running' | 'succeeded') =>
  server.deps.database.asSystem(async (transaction) => {
    const mark = `atrium-file:${file.id}/foo%20bar.txt`
    const [task] = await transaction
      .insert(tasks)
      .values({
        userId: owner.user.id,
        service: 'flux',
        operation: 'images',
        state,
        provider: 'sandbox',
        request: {prompt: `owl ${mark}`},
        response: state === 'succeeded' ? {data: [{image_url: mark}]} : null,
        traceId: 'foo',
      })
      .returning()
    if (task === undefined) throw new Error('no task')
    return task
  })

describe('renewing the address of a file', () => {
  test('the new address serves the bytes, the old one is nobody’s', async () => {
    const file = await upload()
    const {status, body} = await renew(file.id)
    expect(status).toBe(200)
    expect(uploadedFile.parse(body)).toEqual({...file, id: expect.any(String), file_url: expect.any(String)})
    expect(body.id).toMatch(/^[\w-]{22}$/)
    expect(body.id).not.toBe(file.id)
    expect(body.file_url).toBe(file.file_url.replace(file.id, body.id))
    const answer = await read(body.file_url)
    expect([answer.status, await answer.text()]).toEqual([200, 'foo'])
    expect((await read(file.file_url)).status).toBe(404)
    // a tag of the old address is no tag of the new one
    expect(answer.headers.get('etag')).toBe(`"${body.id}"`)
  })

  test('again and again, then deleted: the bytes go too', async () => {
    const file = await upload()
    const {body: second} = await renew(file.id)
    const {body: third} = await renew(second.id)
    expect((await read(third.file_url)).status).toBe(200)
    expect((await renew(second.id)).status).toBe(404)
    expect((await ask(server, 'DELETE', `/files/${third.id}`, {token: owner.accessToken})).status).toBe(204)
    expect((await read(third.file_url)).status).toBe(404)
    expect(await findStoredFile(server.deps, owner.user.id, file.file_url)).toBeUndefined()
  })

  test('of another user, of nobody and without a token: refused, and the address stays', async () => {
    const file = await upload()
    const other = await server.createUser()
    expect((await renew(file.id, other.accessToken)).status).toBe(404)
    expect((await renew('A'.repeat(22))).status).toBe(404)
    expect((await renew('..%2f..')).status).toBe(404)
    expect((await ask(server, 'POST', `/files/${file.id}/renew`)).status).toBe(401)
    expect((await read(file.file_url)).status).toBe(200)
  })

  test('the owner’s requests may still name a former address, other people’s may not', async () => {
    const file = await upload()
    const {body} = await renew(file.id)
    const found = await findStoredFile(server.deps, owner.user.id, file.file_url)
    expect([found?.id, found?.name, found?.size]).toEqual([body.id, 'foo bar.txt', 3])
    expect(Buffer.from(await found!.read()).toString()).toBe('foo')
    const other = await server.createUser()
    expect(await findStoredFile(server.deps, other.user.id, file.file_url)).toBeUndefined()
  })

  test('tasks, results, messages, the avatar and a site’s images name the new address; other people’s words stay', async () => {
    const file = await upload()
    const other = await server.createUser()
    const task = await insertTask(file, 'succeeded')
    const {asSystem} = server.deps.database
    const content = [
      {type: 'text' as const, text: 'what is this?'},
      {type: 'image_url' as const, image_url: file.file_url},
    ]
    const talks = await asSystem(async (transaction) => {
      await transaction.insert(taskArtifacts).values({
        userId: owner.user.id,
        taskId: task.id,
        service: 'flux',
        handle: 'foo',
        medium: 'image',
        fileId: file.id,
      })
      await transaction.update(users).set({avatar: file.file_url}).where(eq(users.id, owner.user.id))
      await transaction
        .insert(sites)
        .values({origin: `https://${owner.user.id}.example`, admins: [owner.user.id], logo: file.file_url})
      const made = await transaction
        .insert(conversations)
        .values([owner, other].map(({user}) => ({userId: user.id, model: 'foo', updatedAt: new Date(1_000)})))
        .returning()
      await transaction
        .insert(messages)
        .values(made.map(({id, userId}) => ({conversationId: id, userId, position: 0, role: 'user' as const, content})))
      return made
    })
    const {body} = await renew(file.id)
    await asSystem(async (transaction) => {
      const [row] = await transaction.select().from(tasks).where(eq(tasks.id, task.id))
      expect(row).toMatchObject({
        request: {prompt: `owl atrium-file:${body.id}/foo%20bar.txt`},
        response: {data: [{image_url: `atrium-file:${body.id}/foo%20bar.txt`}]},
      })
      const [artifact] = await transaction.select().from(taskArtifacts).where(eq(taskArtifacts.taskId, task.id))
      expect(artifact?.fileId).toBe(body.id)
      const [user] = await transaction.select().from(users).where(eq(users.id, owner.user.id))
      expect(user?.avatar).toBe(body.file_url)
      const [site] = await transaction
        .select()
        .from(sites)
        .where(eq(sites.origin, `https://${owner.user.id}.example`))
      expect(site?.logo).toBe(body.file_url)
      const stored = await transaction.select().from(messages)
      const contentOf = (userId: string) => stored.find((message) => message.userId === userId)?.content
      expect(contentOf(owner.user.id)).toEqual([content[0], {type: 'image_url', image_url: body.file_url}])
      expect(contentOf(other.user.id)).toEqual(content)
      const times = await transaction.select().from(conversations)
      expect(talks.map(({id}) => times.find((talk) => talk.id === id)?.updatedAt.getTime())).toEqual([1_001, 1_000])
    })
  })

  test('not while a task that runs uses the file', async () => {
    const file = await upload()
    await insertTask(file, 'running')
    const {status, body} = await renew(file.id)
    expect([status, body.code]).toEqual([409, 'busy'])
    expect((await read(file.file_url)).status).toBe(200)
  })
})
