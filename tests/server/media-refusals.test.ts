import {grantCredits} from '#server/ledger/ledger.ts'
import {afterAll, beforeAll, beforeEach, describe, expect, test} from 'vitest'
import {tool as flux} from '#contract/media/flux.ts'
import {tool as kling} from '#contract/media/kling.ts'
import {tool as midjourney} from '#contract/media/midjourney.ts'
import {tool as suno} from '#contract/media/suno.ts'
import {balanceOf, createAsker, type Asker} from './ai.harness.ts'
import {createMediaServer, createScriptedMedia, post, tasksOf, upload, type MediaServer} from './media.harness.ts'
import {until} from './until.ts'
import {pixel} from './pixel.ts'

const media = createScriptedMedia()

let on: MediaServer
let asker: Asker

beforeAll(async () => {
  on = await createMediaServer({tools: [flux, kling, midjourney, suno], provider: media.provider})
  await on.server.createUser() // the operator
})
beforeEach(async () => {
  asker = await createAsker(on, '10')
})

afterAll(() => on.close())

const owl = {prompt: 'owl', count: 2}

const retrieve = async (own: Asker, service: string, id: string) =>
  (await post(on, own, `/${service}/tasks`, {action: 'retrieve', id})).body

describe('a request is refused before anything is made', () => {
  test('used_up: the very same request goes on once there are credits, under the same key', async () => {
    const own = await createAsker(on, '0.3')
    const call = () => post(on, own, '/flux/images', {...owl, async: true}, {'idempotency-key': 'foo'})
    expect(await call()).toEqual({
      status: 403,
      body: {
        error: {
          code: 'used_up',
          message: 'The credits of this application do not cover this request.',
          application_id: expect.any(String),
          needed: '0.400000',
          available: '0.300000',
        },
        trace_id: expect.any(String),
        success: false,
      },
      headers: expect.any(Headers),
    })
    expect(await tasksOf(on, own.userId)).toEqual([])
    await on.server.deps.database.asSystem((transaction) =>
      grantCredits(transaction, {...own, amount: '1', reference: `grant:more:${own.userId}`}),
    )
    expect((await call()).status).toBe(200)
    await on.work()
    ;(await media.next()).finish()
  })

  test.each([
    ['an unknown key', '/flux/images', {prompt: 'owl', foo: 1}, 'foo'],
    ['a wrong value', '/flux/images', {prompt: 'owl', count: 9}, 'count'],
    ['a missing prompt', '/flux/images', {}, 'prompt'],
    [
      'a foreign address',
      '/flux/images',
      {prompt: 'owl', action: 'edits', image_url: 'https://foo.example/a.png'},
      'image_url',
    ],
    [
      'a local address',
      '/kling/videos',
      {prompt: 'owl', start_image_url: 'http://127.0.0.1:80/a.png'},
      'start_image_url',
    ],
    ['an unknown result', '/kling/videos', {action: 'extend', video_id: 'foo'}, 'video_id'],
  ])('%s is a 400 that names it', async (_what, path, body, field) => {
    const {status, body: answer} = await post(on, asker, path, {...body, async: true})
    expect([status, answer.error.code]).toEqual([400, 'bad_request'])
    expect(answer.error.message).toContain(field)
    expect(media.unasked()).toBe(true)
  })

  test("another user's file does not go in; the own one does", async () => {
    const stranger = await on.server.createUser()
    const user = await on.server.createUser()
    const own = await createAsker(on, '10', user)
    const edit = async (address: string) =>
      post(on, own, '/flux/images', {prompt: 'hat', action: 'edits', image_url: address, async: true})
    expect((await edit(await upload(on, stranger.accessToken))).status).toBe(400)
    const {status, body} = await edit(await upload(on, user.accessToken))
    expect(status).toBe(200)
    await on.work()
    const making = await media.next()
    const [file] = await making.ask.sourceFiles()
    expect(Buffer.from((await file?.read()) ?? [])).toEqual(pixel)
    making.finish()
    await until(async () => (await retrieve(own, 'flux', body.task_id)).response?.success === true)
  })

  test('references between the words of a prompt are files that go in; the words stay as they were sent', async () => {
    const user = await on.server.createUser()
    const own = await createAsker(on, '10', user)
    const imagine = (prompt: string) => post(on, own, '/midjourney/imagine', {prompt, async: true})
    const foreign = await upload(on, (await on.server.createUser()).accessToken)
    const refused = await imagine(`${foreign} an owl`)
    expect([refused.status, refused.body.error.message]).toEqual([400, expect.stringMatching(/^prompt must be a file/)])

    const [one, two] = [await upload(on, user.accessToken), await upload(on, user.accessToken, pixel, 'bar.png')]
    for (const prompt of [`${one} an owl --chaos 5`, `${one} ${two} an owl, as in ${two}. --seed 9`]) {
      const {status, body} = await imagine(prompt)
      expect(status).toBe(200)
      const row = (await tasksOf(on, own.userId)).find(({id}) => id === body.task_id)
      expect(JSON.stringify(row?.request)).not.toContain('http')
      await on.work()
      const making = await media.next()
      const files = await making.ask.sourceFiles()
      expect(files.map(({name}) => name)).toEqual(prompt.includes(` ${two} an`) ? ['foo.png', 'bar.png'] : ['foo.png'])
      expect(making.ask.plan.prompt.split(' ').slice(-2)).toEqual(prompt.split(' ').slice(-2))
      making.finish()
      await until(async () => (await retrieve(own, 'midjourney', body.task_id)).response?.success === true)
      expect((await retrieve(own, 'midjourney', body.task_id)).request?.prompt).toBe(prompt)
    }
  })

  test('a service of its own covers no other; a full file quota is said at once', async () => {
    const own = await createAsker(on)
    const individual = (serviceId: string) =>
      on.server.deps.database.pool.query(
        `update applications set scope = 'Individual', service_id = $1 where id = $2`,
        [serviceId, own.applicationId],
      )
    await individual(kling.identity.serviceId)
    expect((await post(on, own, '/flux/images', owl)).body.error.code).toBe('forbidden')
    await individual(flux.identity.serviceId)
    await on.server.deps.database.pool.query(
      `insert into files (id, stored_as, user_id, name, type, size) values ($1, $1, $2, 'big', 'image/png', 2000000000)`,
      [`big-${own.userId}`.slice(0, 22), own.userId],
    )
    expect(await post(on, own, '/flux/images', owl)).toEqual({
      status: 413,
      body: {
        error: {
          code: 'content_too_large',
          message: 'Your files would take more than the 953 MB you have here. Delete one first.',
          field: 'file',
        },
        trace_id: expect.any(String),
        success: false,
      },
      headers: expect.any(Headers),
    })
  })
})

describe('the same intent twice', () => {
  test('in parallel is one task and one charge', async () => {
    const own = await createAsker(on, '10')
    const call = () => post(on, own, '/flux/images', {...owl, async: true}, {'idempotency-key': 'click'})
    const answers = await Promise.all([call(), call(), call(), call()])
    expect(new Set(answers.map(({body}) => body.task_id)).size).toBe(1)
    expect(answers.filter(({headers}) => headers.get('idempotent-replay') === 'true')).toHaveLength(3)
    await on.work()
    ;(await media.next()).finish()
    await until(async () => (await tasksOf(on, own.userId))[0]?.state === 'succeeded')
    expect((await call()).body.task_id).toBe(answers[0]?.body.task_id)
    expect(await tasksOf(on, own.userId)).toHaveLength(1)
    expect(await balanceOf(on, own)).toEqual({remaining: '9.600000', used: '0.400000'})
    const {body} = await post(on, own, '/flux/tasks', {action: 'retrieve', id: answers[0]?.body.task_id})
    expect(body.credits).toEqual({held: 0.4, settled: 0.4})
  })

  test('with another body or another path is 422; of another user it is another task', async () => {
    const own = await createAsker(on, '10')
    const key = {'idempotency-key': 'key'}
    const first = await post(on, own, '/flux/images', {...owl, async: true}, key)
    expect((await post(on, own, '/flux/images', {...owl, count: 1, async: true}, key)).status).toBe(422)
    expect((await post(on, own, '/kling/videos', {prompt: 'owl', async: true}, key)).status).toBe(422)
    const other = await createAsker(on, '10')
    const foreign = await post(on, other, '/flux/images', {...owl, async: true}, key)
    expect(foreign.body.task_id).not.toBe(first.body.task_id)
    await on.work()
    ;(await media.next()).finish()
    ;(await media.next()).finish()
    await until(async () => (await tasksOf(on, other.userId))[0]?.state === 'succeeded')
    await post(on, own, '/flux/tasks', {action: 'delete', id: first.body.task_id})
    expect(await post(on, own, '/flux/images', {...owl, async: true}, key)).toEqual({
      status: 409,
      body: {
        error: {code: 'duplication', message: 'This was made before, and the task has been deleted since.'},
        trace_id: expect.any(String),
        success: false,
      },
      headers: expect.any(Headers),
    })
  })
})
