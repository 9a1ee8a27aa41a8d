import {eq, sql} from 'drizzle-orm'
import {describe, expect, test} from 'vitest'
import {batchMilliseconds} from '#server/ai/answers/answer-writer.ts'
import {lookMilliseconds} from '#server/runs/row-moves.ts'
import {stopGraceMilliseconds} from '#server/ai/answers/stop-answer.ts'
import {answerChunks, answers} from '#server/store/schema/chat.ts'
import {ask, headOf, openStream, post, textOf, type AiServer, type Frame} from './ai.harness.ts'
import {twoProcesses} from './two-processes.fixtures.ts'

const processes = twoProcesses()
const {model} = processes

const database = () => processes.a.server.deps.database
const readAnswer = async (message: string) => {
  const [row] = await database().asSystem((transaction) =>
    transaction.select().from(answers).where(eq(answers.messageId, message)),
  )
  if (row === undefined) throw new Error('no answer')
  return row
}
const resume = async (
  on: AiServer,
  head: {id: string; message: string},
  lastSeq: number,
  accept = 'text/event-stream',
) =>
  post(
    on,
    processes.asker,
    {action: 'resume', id: head.id, message: head.message, attempt: 1, last_seq: lastSeq},
    {accept},
  )

/** Starts an answer in process A and hands out everything a test needs of it. */
async function begin(body: Record<string, unknown> = {}) {
  const stream = openStream(await ask(processes.a, processes.asker, body))
  const turn = await model.next()
  const head = await headOf(stream)
  return {stream, turn, head}
}

/** Says these texts and waits until the listener of process A has each of them. */
async function sayAll({stream, turn}: Awaited<ReturnType<typeof begin>>, texts: readonly string[]): Promise<Frame[]> {
  const frames: Frame[] = []
  for (const text of texts) {
    turn.say(text)
    const frame = await stream.next()
    if (frame !== undefined) frames.push(frame)
  }
  return frames
}

/** Lets process A store what waits, and waits until the rows say so. */
async function stored(message: string, lastSeq: number): Promise<void> {
  for (;;) {
    processes.clockA.fire(batchMilliseconds)
    if ((await readAnswer(message)).lastSeq >= lastSeq) return
  }
}

const texts = ['One', ' two', '\n\n', '“three” 😀', '<b>', ' ', '{"json": 1}', 'data: x\n\n', '日本', '.']

describe('replay', () => {
  test('from every number, while it runs and when it has ended, here and in the other process', async () => {
    const run = await begin()
    const {head, turn, stream} = run
    const said = await sayAll(run, texts.slice(0, 6))
    await stored(head.message, 6)

    const followers = []
    for (const on of [processes.a, processes.b])
      for (let lastSeq = 0; lastSeq <= 6; lastSeq += 1) {
        const follower = openStream(await resume(on, head, lastSeq))
        expect(await follower.next()).toEqual({
          seq: lastSeq,
          data: {id: head.id, message: head.message, attempt: 1, provider: 'foo', sandbox: false, delta_answer: ''},
        })
        followers.push({lastSeq, follower})
      }
    const more = await sayAll(run, texts.slice(6))
    turn.finish()
    const end = await stream.rest()
    expect(end).toEqual([{seq: undefined, data: '[DONE]'}])
    const all = [...said, ...more, ...end]
    expect(textOf(all)).toBe(texts.join(''))
    for (const {lastSeq, follower} of followers) expect(await follower.rest()).toEqual(all.slice(lastSeq))

    for (const on of [processes.a, processes.b])
      for (let lastSeq = 0; lastSeq <= texts.length; lastSeq += 1) {
        const follower = openStream(await resume(on, head, lastSeq))
        await follower.next()
        expect(await follower.rest()).toEqual(all.slice(lastSeq))
      }
  })

  test('as ndjson the lines hold the whole answer also after a resume; as JSON it is whole', async () => {
    const run = await begin()
    await sayAll(run, ['a', 'b', 'c'])
    run.turn.finish()
    await run.stream.rest()
    const lines = (await (await resume(processes.b, run.head, 2, 'application/x-ndjson')).text()).trimEnd().split('\n')
    expect(lines.map((line) => (JSON.parse(line) as {answer: string}).answer)).toEqual(['ab', 'abc', 'abc'])
    expect(await (await resume(processes.b, run.head, 2, 'application/json')).json()).toEqual({
      answer: 'abc',
      id: run.head.id,
    })
  })

  test('a listener of the other process lives on without signals: it looks by itself', async () => {
    const run = await begin()
    const follower = openStream(await resume(processes.b, run.head, 0))
    await follower.next()
    await sayAll(run, ['quiet'])
    // Written behind the back of everybody: no NOTIFY is sent for it.
    const row = await readAnswer(run.head.message)
    await database().asSystem((transaction) =>
      transaction
        .insert(answerChunks)
        .values({answerId: row.id, userId: processes.asker.userId, seq: 1, deltas: ['quiet']}),
    )
    const arrived = follower.next()
    processes.clockB.fire(lookMilliseconds)
    expect(await arrived).toEqual({seq: 1, data: {id: run.head.id, delta_answer: 'quiet'}})
    await database().asSystem((transaction) =>
      transaction.delete(answerChunks).where(eq(answerChunks.answerId, row.id)),
    )
    run.turn.finish()
    await run.stream.rest()
    expect((await follower.rest()).at(-1)?.data).toBe('[DONE]')
  })

  test('numbered deltas are forgotten after two days, the text is not', async () => {
    const run = await begin()
    await sayAll(run, ['kept'])
    run.turn.finish()
    await run.stream.rest()
    await database().asSystem((transaction) =>
      transaction
        .update(answers)
        .set({finishedAt: sql`now() - interval '3 days'`})
        .where(eq(answers.messageId, run.head.message)),
    )
    processes.clockA.fire(3_600_000)
    for (;;) {
      const response = await resume(processes.a, run.head, 0)
      if (response.status === 409) break
      await response.body?.cancel()
    }
    const {messages: kept} = await (
      await post(processes.a, processes.asker, {action: 'retrieve', id: run.head.id})
    ).json()
    expect(kept[1].content).toBe('kept')
    expect((await resume(processes.a, run.head, 1)).status).toBe(200)
  })
})

test('leaving is not stopping: nobody listens and the answer goes on to its end', async () => {
  const run = await begin()
  await sayAll(run, ['first'])
  await run.stream.cancel()
  run.turn.say(' second')
  run.turn.finish()
  const follower = openStream(await resume(processes.b, run.head, 0))
  await follower.next()
  expect(textOf(await follower.rest())).toBe('first second')
  expect((await readAnswer(run.head.message)).state).toBe('finished')
})

describe('stop', () => {
  const stop = async (on: AiServer, body: Record<string, unknown>) => {
    const response = await post(on, processes.asker, {action: 'stop', ...body})
    return {status: response.status, body: await response.json()}
  }

  test.each(['here', 'in the other process'])(
    '%s: ends at once with its text, whether or not the provider listens',
    async (where) => {
      const on = where === 'here' ? processes.a : processes.b
      const run = await begin()
      await sayAll(run, ['kept', ' text'])
      expect(await stop(on, {id: run.head.id})).toEqual({
        status: 200,
        body: {id: run.head.id, message: run.head.message, state: 'failed'},
      })
      expect(run.turn.input.signal.aborted).toBe(true)
      expect(await run.stream.rest()).toEqual([
        {
          seq: undefined,
          data: {id: run.head.id, error: {code: 'canceled', message: expect.any(String)}, outcome: 'stopped'},
        },
      ])
      const {messages: kept} = await (
        await post(processes.b, processes.asker, {action: 'retrieve', id: run.head.id})
      ).json()
      expect([kept[1]?.content, kept[1]?.state, kept[1]?.outcome]).toEqual(['kept text', 'failed', 'stopped'])
      // The provider goes on, but no follower is left.
      run.turn.say(' more')
      run.turn.finish()
      expect((await readAnswer(run.head.message)).text).toBe('kept text')
    },
  )

  test('with nobody listening, named by its message', async () => {
    const run = await begin()
    await sayAll(run, ['x'])
    await run.stream.cancel()
    expect((await stop(processes.b, {id: run.head.id, message: run.head.message})).body.state).toBe('failed')
  })

  test('of an answer that has ended changes nothing', async () => {
    const run = await begin()
    run.turn.finish()
    await run.stream.rest()
    expect((await stop(processes.b, {id: run.head.id})).body.state).toBe('finished')
    expect((await readAnswer(run.head.message)).outcome).toBeNull()
  })

  test('of an answer whose worker does not react is made by the node that was asked', async () => {
    const run = await begin()
    await sayAll(run, ['stored', ' lost'])
    await stored(run.head.message, 2)
    const row = await readAnswer(run.head.message)
    await database().asSystem((transaction) =>
      transaction
        .update(answers)
        .set({workerId: 'gone', fence: row.fence + 1})
        .where(eq(answers.id, row.id)),
    )
    const stopping = stop(processes.b, {id: run.head.id})
    while (!processes.clockB.waiting().includes(stopGraceMilliseconds))
      await new Promise((resolve) => setImmediate(resolve))
    processes.clockB.fire(stopGraceMilliseconds)
    expect((await stopping).body.state).toBe('failed')
    expect(await readAnswer(run.head.message)).toMatchObject({
      outcome: 'stopped',
      text: 'stored lost',
      fence: row.fence + 2,
    })
  })
})
