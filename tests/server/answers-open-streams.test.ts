import {eq} from 'drizzle-orm'
import {describe, expect, test} from 'vitest'
import {pingMilliseconds, revocationMilliseconds, stallMilliseconds} from '#server/runs/connections.ts'
import {answers} from '#server/store/schema/chat.ts'
import {credentials} from '#server/store/schema/platform.ts'
import {ask, createAsker, headOf, openStream, post, type Asker} from './ai.harness.ts'
import {until} from './until.ts'
import {twoProcesses} from './two-processes.fixtures.ts'

const processes = twoProcesses()
const {model} = processes

const answersOf = ({userId}: Asker) =>
  processes.a.server.deps.database.asSystem((transaction) =>
    transaction.select().from(answers).where(eq(answers.userId, userId)).orderBy(answers.createdAt),
  )

describe('open streams', () => {
  test('hear a comment every 5 s while they are silent', async () => {
    const response = await ask(processes.a, processes.asker)
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    const turn = await model.next()
    const head = await reader?.read()
    expect(head?.value).toContain('id: 0')
    // what was said since the last comment is a sign of life too
    processes.clockA.fire(pingMilliseconds)
    turn.say('foo')
    expect((await reader?.read())?.value).toContain('foo')
    processes.clockA.fire(pingMilliseconds)
    processes.clockA.fire(pingMilliseconds)
    expect((await reader?.read())?.value).toBe(': ping\n\n')
    processes.clockA.fire(pingMilliseconds)
    expect((await reader?.read())?.value).toBe(': ping\n\n')
    await reader?.cancel()
    turn.finish()
  })

  test('end when their key is revoked or expires; the answer goes on', async () => {
    const own = await createAsker(processes.a, '10')
    const stream = openStream(await ask(processes.a, own))
    const head = await headOf(stream)
    const turn = await model.next()
    processes.clockA.fire(revocationMilliseconds)
    turn.say('before')
    expect(await stream.next()).toEqual({seq: 1, data: {id: expect.any(String), delta_answer: 'before'}})
    await processes.a.server.deps.database.asSystem((transaction) =>
      transaction.update(credentials).set({revokedAt: new Date()}).where(eq(credentials.id, own.credentialId)),
    )
    const open = processes.a.service.answers.connections.size()
    await until(() => {
      // a turn that comes while the last one is under way is left out
      processes.clockA.fire(revocationMilliseconds)
      return processes.a.service.answers.connections.size() < open
    })
    await expect(stream.next()).rejects.toThrow('closed by the server')
    expect((await post(processes.a, own, {action: 'retrieve', id: head.id})).status).toBe(401)
    turn.say(' after')
    turn.finish()
    await until(async () => (await answersOf(own))[0]?.state === 'finished')
    expect((await answersOf(own))[0]?.text).toBe('before after')
  })

  test('a reader that reads nothing is dropped; the buffer stays small meanwhile', async () => {
    const own = await createAsker(processes.a, '10')
    const response = await ask(processes.a, own)
    const turn = await model.next()
    const megabyte = 'x'.repeat(32 * 1024)
    for (let index = 0; index < 64; index += 1) turn.say(megabyte)
    turn.finish()
    await until(async () => (await answersOf(own))[0]?.state === 'finished')
    const before = processes.a.service.answers.connections.size()
    processes.clockA.fire(stallMilliseconds)
    expect(processes.a.service.answers.connections.size()).toBe(before)
    processes.clockA.fire(stallMilliseconds)
    expect(processes.a.service.answers.connections.size()).toBe(before - 1)
    await expect(response.text()).rejects.toThrow('closed by the server')
  })

  test('at most 24 of one user', async () => {
    const own = await createAsker(processes.a, '10')
    const stream = openStream(await ask(processes.a, own))
    const head = await headOf(stream)
    const turn = await model.next()
    const follow = () => post(processes.a, own, {action: 'resume', ...head, last_seq: 0}, {accept: 'text/event-stream'})
    const open = []
    for (let index = 0; index < 23; index += 1) open.push(await follow())
    expect((await follow()).status).toBe(429)
    await open[0]?.body?.cancel()
    const again = await follow()
    expect(again.status).toBe(200)
    turn.finish()
    for (const response of [again, ...open.slice(1)])
      expect((await openStream(response).rest()).at(-1)?.data).toBe('[DONE]')
  })
})
