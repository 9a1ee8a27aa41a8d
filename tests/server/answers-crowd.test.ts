import {eq} from 'drizzle-orm'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {answerRuns} from '#server/ai/answers/answer-store.ts'
import {questionTurns} from '#server/ai/submit.ts'
import {lockRunsOf} from '#server/runs/run-store.ts'
import {answers} from '#server/store/schema/chat.ts'
import {ask, createAiServer, createAsker, type AiServer, type Asker} from './ai.harness.ts'
import {createScriptedProvider} from './scripted-provider.ts'
import {manualTimers} from './providers.fixtures.ts'

/* Many questions in one moment: who waits, and for what. */

const model = createScriptedProvider()
const clock = manualTimers()
let on: AiServer
beforeAll(async () => {
  on = await createAiServer({
    providers: [model.provider],
    // so that no limit of a user is met before the turns
    config: {limitFactor: 100},
    timers: clock.timers,
    // what waits for a lock here waits for the test
    requests: {statement_timeout: 60_000},
  })
})
afterAll(async () => {
  const drained = on.service.drain()
  // no answer ends by itself
  clock.fireDeadlines()
  await drained
  await on.close()
})

const until = async (isTrue: () => boolean | Promise<boolean>) => {
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 20))
}

/** Holds what the questions of a user wait for, until `work` is done. */
const whileHeld = ({userId}: Asker, work: () => Promise<void>) =>
  on.server.deps.database.asSystem(async (transaction) => {
    await lockRunsOf(transaction, answerRuns, userId)
    await work()
  })

/** Transactions that wait for a lock of a user: each holds a connection, and its statement has five seconds. */
const waitingInDatabase = async () => {
  const {rows} = await on.server.deps.database.pool.query<{waiting: number}>(
    `select count(*)::int as waiting from pg_locks where locktype = 'advisory' and not granted
       and database = (select oid from pg_database where datname = current_database())`,
  )
  return rows[0]?.waiting ?? 0
}
const isWaiting = (count: number) =>
  clock.waiting().filter((time) => time === questionTurns.longestMilliseconds).length === count

/** Asks as many questions as one user has at once. */
const fill = (asker: Asker) => Array.from({length: questionTurns.ofOneKey}, () => ask(on, asker))

const countAnswers = async ({userId}: Asker) => {
  const rows = await on.server.deps.database.asSystem((transaction) =>
    transaction.select({id: answers.id}).from(answers).where(eq(answers.userId, userId)),
  )
  return rows.length
}

test('a crowd of one user waits without connections, and is answered; others are served meanwhile', async () => {
  const [one, other] = [await createAsker(on, '1000'), await createAsker(on, '1')]
  const count = 40
  let crowd: Promise<Response[]> | undefined
  await whileHeld(one, async () => {
    crowd = Promise.all(Array.from({length: count}, () => ask(on, one)))
    await until(() => isWaiting(count - questionTurns.ofOneKey))
    await until(async () => (await waitingInDatabase()) === questionTurns.ofOneKey)
    expect((await ask(on, other)).status).toBe(200)
  })
  expect((await crowd)?.map(({status}) => status)).toEqual(Array(count).fill(200))
  expect(await countAnswers(one)).toBe(count)
})

test('a question whose turn does not come is refused with a sentence, and nothing of it is kept', async () => {
  const one = await createAsker(on, '1000')
  const crowd: Promise<Response>[] = []
  await whileHeld(one, async () => {
    crowd.push(...fill(one), ask(on, one))
    await until(() => isWaiting(1))
    clock.fire(questionTurns.longestMilliseconds)
    const refused = await Promise.race(crowd)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await refused.json()).toEqual({
      error: {code: 'busy', message: expect.stringContaining('Ask it again')},
      trace_id: expect.any(String),
      success: false,
    })
  })
  const statuses = (await Promise.all(crowd)).map(({status}) => status)
  expect(statuses.toSorted()).toEqual([...Array(questionTurns.ofOneKey).fill(200), 503])
  expect(await countAnswers(one)).toBe(questionTurns.ofOneKey)
})

test('a question whose client leaves while it waits is not accepted, and may be asked again with its key', async () => {
  const one = await createAsker(on, '1000')
  const key = {'idempotency-key': 'foo'}
  const leaving = new AbortController()
  const crowd: Promise<Response>[] = []
  await whileHeld(one, async () => {
    crowd.push(...fill(one))
    await until(async () => (await waitingInDatabase()) === questionTurns.ofOneKey)
    const [left, leftWithKey] = [{}, key].map((headers) => ask(on, one, {}, headers, leaving.signal))
    await until(() => isWaiting(2))
    leaving.abort()
    expect([(await left)?.status, (await leftWithKey)?.status]).toEqual([503, 503])
    crowd.push(ask(on, one, {}, key), ask(on, one, {}, key))
    await until(() => isWaiting(2))
  })
  const replays = (await Promise.all(crowd)).map(({status, headers}) => [status, headers.get('idempotent-replay')])
  expect(replays.toSorted()).toEqual([...Array(questionTurns.ofOneKey + 1).fill([200, null]), [200, 'true']])
  expect(await countAnswers(one)).toBe(questionTurns.ofOneKey + 1)
})
