import {eq} from 'drizzle-orm'
import {expect, test, vi} from 'vitest'
import {createAnswerReader} from '#server/ai/answers/answer-reader.ts'
import {batchMilliseconds} from '#server/ai/answers/answer-writer.ts'
import {answerChunks, answers} from '#server/store/schema/chat.ts'
import {ask, createAsker, headOf, openStream, post} from './ai.harness.ts'
import {counting, createRuns} from './answers.fixtures.ts'
import {twoProcesses} from './two-processes.fixtures.ts'

/* A process reads the answers that other processes run, for its own followers. */
const processes = twoProcesses({limitFactor: 100})
const {model} = processes

/** An answer of a new user with these stored batches. */
async function storedRun(...batches: string[][]) {
  const {userId} = await createAsker(processes.a)
  const [run] = await createRuns(processes.a, 1, userId)
  if (run === undefined) throw new Error('No run was made')
  let seq = 0
  const rows = batches.map((deltas) => ({answerId: run.id, userId, seq: (seq += deltas.length), deltas}))
  await processes.a.server.deps.database.asSystem((transaction) => transaction.insert(answerChunks).values(rows))
  return {answerId: run.id, userId}
}

const finish = (answerId: string) =>
  processes.a.server.deps.database.asSystem((transaction) =>
    transaction.update(answers).set({state: 'finished'}).where(eq(answers.id, answerId)),
  )

const interrupted = {
  deltas: [],
  isCut: false,
  end: {
    state: 'failed',
    outcome: 'interrupted',
    error: {
      code: 'api_error',
      message: 'The server stopped while it was answering. What it had written is kept.',
    },
  },
}

test('all followers are answered by one statement, each with what is after its own position', async () => {
  const [one, other] = [await storedRun(['a', 'b'], ['c']), await storedRun(['x'])]
  await finish(other.answerId)
  const counted = counting(processes.b)
  const {read} = createAnswerReader(counted)
  const parts = await Promise.all([
    read({...one, seq: 0}),
    read({...one, seq: 1}),
    read({...one, seq: 3}),
    read({...other, seq: 0}),
    // any number that a client may name, which spoils no other one's
    read({...one, seq: Number.MAX_SAFE_INTEGER}),
  ])
  const [all, some] = [
    ['a', 'b', 'c'],
    ['b', 'c'],
  ].map((texts) => texts.map((text, at) => ({seq: at + 1, text})))
  expect(parts).toEqual([
    {deltas: all, isCut: false, end: undefined},
    {deltas: some?.map(({seq, text}) => ({seq: seq + 1, text})), isCut: false, end: undefined},
    {deltas: [], isCut: false, end: undefined},
    {deltas: [{seq: 1, text: 'x'}], isCut: false, end: {state: 'finished'}},
    {deltas: [], isCut: false, end: undefined},
  ])
  expect(counted.statements).toBe(1)
})

test("another user's answer is read by nobody, and one that is gone has ended", async () => {
  const [one, other] = [await storedRun(['secret']), await storedRun(['x'])]
  const {read} = createAnswerReader(processes.b.server.deps)
  const gone = await storedRun(['y'])
  await processes.a.server.deps.database.asSystem((transaction) =>
    transaction.delete(answers).where(eq(answers.id, gone.answerId)),
  )
  const parts = await Promise.all([
    read({answerId: one.answerId, userId: other.userId, seq: 0}),
    read({...gone, seq: 0}),
    read({...other, seq: 0}),
  ])
  expect(parts.slice(0, 2)).toEqual([interrupted, interrupted])
  expect(parts[2]?.deltas).toEqual([{seq: 1, text: 'x'}])
})

test('what one statement does not hold is said to be cut, and the end comes after all of it', async () => {
  const run = await storedRun(...Array.from({length: 60}, (_, index) => [`${index}`]))
  await finish(run.answerId)
  const {read} = createAnswerReader(processes.b.server.deps)
  const first = await read({...run, seq: 0})
  expect([first.isCut, first.end]).toEqual([true, undefined])
  const rest = await read({...run, seq: first.deltas.at(-1)?.seq ?? 0})
  expect([rest.isCut, rest.end]).toEqual([false, {state: 'finished'}])
  expect([...first.deltas, ...rest.deltas].map(({text}) => Number(text))).toEqual([...Array(60).keys()])
})

test('a read is cut by bytes as well, of an answer and of all together, and each comes to its end', async () => {
  const text = 'x'.repeat(100 * 1024) // stored compressed: what counts is what is sent
  const run = await storedRun(...Array.from({length: 5}, () => [text]))
  await finish(run.answerId)
  const counted = counting(processes.b)
  const {read} = createAnswerReader(counted)
  const followers = Array.from({length: 20}, () => run)
  const first = await Promise.all(followers.map((own) => read({...own, seq: 0})))
  expect([first[0]?.isCut, first[0]?.end]).toEqual([true, undefined])
  expect(first[0]?.deltas).toHaveLength(3)
  expect(first.flatMap(({deltas}) => deltas)).toHaveLength(41)
  expect(first.every(({isCut, end}) => isCut && end === undefined)).toBe(true)
  expect(counted.statements).toBe(1)
  const rest = await read({...run, seq: 3})
  expect([rest.isCut, rest.end]).toEqual([false, {state: 'finished'}])
  expect(rest.deltas.map(({seq}) => seq)).toEqual([4, 5])
})

test('one position that spoils its statement is found by halves, and the others are answered', async () => {
  const run = await storedRun(['a'])
  const {read} = createAnswerReader(processes.b.server.deps)
  const results = await Promise.allSettled([
    read({...run, seq: 0}),
    read({...run, answerId: 'no uuid', seq: 0}),
    read({...run, seq: 0}),
  ])
  expect(results.map(({status}) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(results[2]).toEqual({value: {deltas: [{seq: 1, text: 'a'}], isCut: false}, status: 'fulfilled'})
})

test('a database that is slow to all is asked a few times in one look, and not for each of them', async () => {
  const run = await storedRun(['a'])
  const timedOut = vi.fn(() => Promise.reject(Object.assign(new Error('canceled'), {code: '57014'})))
  const {read} = createAnswerReader({database: {...processes.b.server.deps.database, asSystemOnce: timedOut}})
  const results = await Promise.allSettled(Array.from({length: 64}, () => read({...run, seq: 0})))
  expect(results.every(({status}) => status === 'rejected')).toBe(true)
  // all, a half, a quarter, and once what is beside them
  expect(timedOut).toHaveBeenCalledTimes(5)
})

test('a database that is away fails for those who asked, and the next one is asked again', async () => {
  const run = await storedRun(['a'])
  const {database} = processes.b.server.deps
  let faults = 1
  const failing: typeof database = {
    ...database,
    asSystemOnce: (work) =>
      faults-- > 0 ? Promise.reject(new Error('Connection terminated')) : database.asSystemOnce(work),
  }
  const {read} = createAnswerReader({database: failing})
  const results = await Promise.allSettled([read({...run, seq: 0}), read({...run, seq: 1})])
  expect(results.map(({status}) => status)).toEqual(['rejected', 'rejected'])
  expect((await read({...run, seq: 0})).deltas).toEqual([{seq: 1, text: 'a'}])
})

test('ten followers of ten answers at another process cost one statement a notice, and no transaction', async () => {
  const begin = async () => {
    const asker = await createAsker(processes.a, '1000')
    const stream = openStream(await ask(processes.a, asker))
    const turn = await model.next()
    const head = await headOf(stream)
    const follower = openStream(
      await post(processes.b, asker, {action: 'resume', ...head, last_seq: 0}, {accept: 'text/event-stream'}),
    )
    await follower.next()
    return {stream, turn, follower}
  }
  const runs: Awaited<ReturnType<typeof begin>>[] = []
  while (runs.length < 10) runs.push(await begin())
  const say = async (text: string) => {
    for (const {turn, stream} of runs) {
      turn.say(text)
      await stream.next()
    }
    processes.clockA.fire(batchMilliseconds)
    // the follower hears of it when the row is stored
    for (const {follower} of runs)
      expect(await follower.next()).toEqual({
        data: {delta_answer: text, id: expect.any(String)},
        seq: expect.any(Number),
      })
  }
  await say('first')
  const {database} = processes.b.server.deps
  const [sent, alone] = [vi.spyOn(database.pool, 'query'), vi.spyOn(database, 'asUser')]
  for (const text of ['a', 'b', 'c']) await say(text)
  expect(sent.mock.calls.filter((call) => JSON.stringify(call).includes('answer_chunks'))).toHaveLength(3)
  expect(alone).not.toHaveBeenCalled()
  sent.mockRestore()
  alone.mockRestore()
  for (const {turn} of runs) turn.finish()
  for (const {follower} of runs) expect((await follower.rest()).at(-1)?.data).toBe('[DONE]')
})
