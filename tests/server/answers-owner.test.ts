import {grantCredits} from '#server/ledger/ledger.ts'
import {randomUUID} from 'node:crypto'
import {eq} from 'drizzle-orm'
import {describe, expect, test} from 'vitest'
import {answers} from '#server/store/schema/chat.ts'
import {ledgerEntries} from '#server/store/schema/credits.ts'
import {ask, createAiServer, createAsker, openStream, post, textOf, type Asker} from './ai.harness.ts'
import {createScriptedProvider} from './scripted-provider.ts'
import {manualTimers} from './providers.fixtures.ts'
import {twoProcesses} from './two-processes.fixtures.ts'

const processes = twoProcesses()
const {model} = processes

const answersOf = ({userId}: Asker) =>
  processes.a.server.deps.database.asSystem((transaction) =>
    transaction.select().from(answers).where(eq(answers.userId, userId)).orderBy(answers.createdAt),
  )
const holdsOf = ({userId}: Asker) =>
  processes.a.server.deps.database.asSystem((transaction) =>
    transaction.select().from(ledgerEntries).where(eq(ledgerEntries.userId, userId)),
  )
describe('Idempotency-Key', () => {
  const withKey = (key: string) => ({'idempotency-key': key})

  test('ten submits at once, in two processes: one answer, one hold, ten listeners of the same text', async () => {
    const own = await createAsker(processes.a, '1')
    const responses = await Promise.all(
      Array.from({length: 10}, (_, index) => ask(index % 2 ? processes.a : processes.b, own, {}, withKey('click-1'))),
    )
    expect(responses.map(({status}) => status)).toEqual(Array(10).fill(200))
    expect(responses.filter(({headers}) => headers.get('idempotent-replay') === 'true')).toHaveLength(9)
    const turn = await model.next()
    turn.say('once', ' only')
    turn.finish()
    const all = await Promise.all(responses.map((response) => openStream(response).rest()))
    for (const frames of all) expect(frames).toEqual(all[0])
    expect(textOf(all[0] ?? [])).toBe('once only')
    expect(await answersOf(own)).toHaveLength(1)
    expect((await holdsOf(own)).filter(({kind}) => kind === 'hold')).toHaveLength(1)
    expect(model.unasked()).toBe(true)
  })

  test('again after the end: the same answer from the start; another question is refused', async () => {
    const first = openStream(await ask(processes.a, processes.asker, {question: 'foo'}, withKey('click-2')))
    const turn = await model.next()
    turn.say('foo bar')
    turn.finish()
    const frames = await first.rest()
    const again = await ask(processes.b, processes.asker, {question: 'foo'}, withKey('click-2'))
    expect(again.headers.get('idempotent-replay')).toBe('true')
    expect(await openStream(again).rest()).toEqual(frames)
    const other = await ask(processes.b, processes.asker, {question: 'bar'}, withKey('click-2'))
    expect(other.status).toBe(422)
    const head = frames[0]?.data as {id: string}
    await post(processes.a, processes.asker, {action: 'delete', id: head.id})
    expect((await ask(processes.a, processes.asker, {question: 'foo'}, withKey('click-2'))).status).toBe(409)
    expect(model.unasked()).toBe(true)
  })

  test('again with the name of the conversation that it began: the same answer; with that of another one: refused', async () => {
    const first = openStream(await ask(processes.a, processes.asker, {question: 'foo'}, withKey('click-4')))
    ;(await model.next()).finish()
    const frames = await first.rest()
    const {id} = frames[0]?.data as {id: string}
    const again = await ask(processes.b, processes.asker, {question: 'foo', id}, withKey('click-4'))
    expect(again.headers.get('idempotent-replay')).toBe('true')
    expect(await openStream(again).rest()).toEqual(frames)
    const other = await ask(processes.b, processes.asker, {question: 'foo', id: randomUUID()}, withKey('click-4'))
    expect(other.status).toBe(422)
    expect(model.unasked()).toBe(true)
  })

  test('again when its model is served no longer: the same answer; a new question for it is refused and leaves no key', async () => {
    const first = openStream(await ask(processes.a, processes.asker, {question: 'foo'}, withKey('click-5')))
    const turn = await model.next()
    turn.say('foo bar')
    turn.finish()
    const frames = await first.rest()
    const other = createScriptedProvider({}, ['bar-model'])
    const later = await createAiServer({
      providers: [other.provider],
      timers: manualTimers().timers,
      sharing: processes.a,
    })
    try {
      const again = await ask(later, processes.asker, {question: 'foo'}, withKey('click-5'))
      expect([again.status, again.headers.get('idempotent-replay')]).toEqual([200, 'true'])
      expect(await openStream(again).rest()).toEqual(frames)
      expect((await ask(later, processes.asker, {question: 'foo'}, withKey('click-6'))).status).toBe(400)
      expect(other.unasked()).toBe(true)
    } finally {
      await later.close()
    }
    const asked = openStream(await ask(processes.a, processes.asker, {question: 'foo'}, withKey('click-6')))
    ;(await model.next()).finish()
    await asked.rest()
  })

  test('a key belongs to one user, and a refused question leaves none', async () => {
    const other = await createAsker(processes.a, '0')
    expect((await ask(processes.a, other, {}, withKey('click-3'))).status).toBe(403)
    await processes.a.server.deps.database.asSystem((transaction) =>
      grantCredits(transaction, {
        applicationId: other.applicationId,
        userId: other.userId,
        amount: '1',
        reference: 'grant:later',
      }),
    )
    const stream = openStream(await ask(processes.a, other, {}, withKey('click-3')))
    ;(await model.next()).finish()
    expect((await stream.rest()).at(-1)?.data).toBe('[DONE]')
    const mine = await ask(processes.a, processes.asker, {}, withKey('click-3'))
    expect(mine.headers.get('idempotent-replay')).toBeNull()
    ;(await model.next()).finish()
    await openStream(mine).rest()
  })

  test.each(['', 'a b', 'x'.repeat(129)])('%j is refused', async (key) => {
    expect((await ask(processes.a, processes.asker, {}, withKey(key))).status).toBe(400)
  })
})
