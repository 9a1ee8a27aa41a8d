import {childArguments} from './child-arguments.ts'
import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {createInterface} from 'node:readline'
import {asc, eq} from 'drizzle-orm'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {createJobs} from '#server/jobs/jobs.ts'
import {answerChunks, answers} from '#server/store/schema/chat.ts'
import {
  balanceOf,
  createAiServer,
  createAsker,
  createScriptedProvider,
  headOf,
  openStream,
  post,
  textOf,
  type AiServer,
} from './ai.harness.ts'

let on: AiServer

beforeAll(async () => {
  on = await createAiServer({providers: [createScriptedProvider().provider]})
})
afterAll(() => on.close())

/** Runs a server process until its listener has heard `deltas` deltas, then kills it as `kill -9` does. */
async function killAfter(deltas: number, token: string): Promise<string[]> {
  const {connection, deps} = on.server
  const child = spawn(process.execPath, childArguments('answers.child.ts'), {
    env: {...process.env, ORDER: JSON.stringify({connection, config: deps.config, token})},
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const heard: string[] = []
  for await (const line of createInterface({input: child.stdout})) {
    if (!line.startsWith('data: ')) continue
    const {delta_answer: delta} = JSON.parse(line.slice(6)) as {delta_answer: string}
    if (delta !== '') heard.push(delta)
    if (heard.length === deltas) child.kill('SIGKILL')
  }
  expect(await exited).toEqual([null, 'SIGKILL'])
  return heard
}

test.each([1, 60, 200])(
  'killed after %i deltas: the next process ends the answer with exactly what was stored',
  async (deltas) => {
    const {deps} = on.server
    const asker = await createAsker(on, '10')
    const heard = await killAfter(deltas, asker.token)
    const rows = () =>
      deps.database.asSystem((transaction) =>
        transaction.select().from(answers).where(eq(answers.userId, asker.userId)),
      )
    const [killed] = await rows()
    if (killed === undefined) throw new Error('no answer was stored')
    expect(killed).toMatchObject({state: 'answering', fence: 1})
    const chunks = await deps.database.asSystem((transaction) =>
      transaction
        .select()
        .from(answerChunks)
        .where(eq(answerChunks.answerId, killed.id))
        .orderBy(asc(answerChunks.seq)),
    )
    const stored = chunks.flatMap((chunk) => chunk.deltas)
    expect(stored).toEqual(Array.from({length: killed.lastSeq}, (_, index) => `word ${index + 1} `))
    // What was heard long enough ago is stored; nothing is stored that the provider did not say.
    expect(heard).toEqual(Array.from({length: heard.length}, (_, index) => `word ${index + 1} `))

    const jobs = createJobs(deps, {tasks: on.service.tasks, onWorkersDead: on.service.workersDied, isOnlyProcess: true})
    await jobs.start()
    await jobs.stop()

    const [ended] = await rows()
    expect(ended).toMatchObject({state: 'failed', outcome: 'interrupted', text: stored.join(''), fence: 2})
    const {items} = await (await post(on, asker, {action: 'retrieve_batch'})).json()
    expect(items[0].messages[1]).toMatchObject({
      content: stored.join(''),
      state: 'failed',
      outcome: 'interrupted',
      error: {code: 'api_error', message: expect.any(String)},
    })
    const resumed = openStream(
      await post(
        on,
        asker,
        {action: 'resume', id: ended?.conversationId, message: ended?.messageId, attempt: 1, last_seq: 0},
        {accept: 'text/event-stream'},
      ),
    )
    await headOf(resumed)
    const frames = await resumed.rest()
    expect(textOf(frames)).toBe(stored.join(''))
    expect(frames.at(-1)?.data).toMatchObject({outcome: 'interrupted'})
    const {remaining, used} = await balanceOf(on, asker)
    expect(Number(remaining) + Number(used)).toBeCloseTo(10, 6)
    expect(used).toBe(ended?.settled)
  },
  60_000,
)
