import {eq} from 'drizzle-orm'
import {expect, test} from 'vitest'
import {followFrame, type FollowFrame} from '#contract/answer-frames.ts'
import {batchMilliseconds} from '#server/ai/answers/answer-writer.ts'
import {newAnswersMilliseconds} from '#server/ai/answers/follow-answers.ts'
import {answers} from '#server/store/schema/chat.ts'
import {credentials} from '#server/store/schema/platform.ts'
import {revocationMilliseconds} from '#server/runs/connections.ts'
import {ask, createAsker, headOf, openStream, post, type AiServer, type Asker} from './ai.harness.ts'
import {twoProcesses} from './two-processes.fixtures.ts'

/* One stream for all running answers of a user, from two processes of one installation. Time is the test's. */
const processes = twoProcesses()
const {model} = processes

type Named = {id: string; message: string; attempt: number; last_seq: number}
const follow = async (on: AiServer, asker: Asker, named?: readonly Named[], accept = 'text/event-stream') =>
  post(on, asker, {action: 'follow', ...(named && {answers: named})}, {accept})

async function begin(asker: Asker, on = processes.a) {
  const stream = openStream(await ask(on, asker))
  const turn = await model.next()
  return {stream, turn, head: await headOf(stream)}
}
type Run = Awaited<ReturnType<typeof begin>>

const say = async ({stream, turn}: Run, ...texts: string[]) => {
  turn.say(...texts)
  for (const _ of texts) await stream.next()
}

/** Lets `a` write what was said: a follower that looked before the answer ran waits for that signal. */
async function storeDeltas({userId}: Asker) {
  for (;;) {
    processes.clockA.fire(batchMilliseconds)
    const rows = await processes.a.server.deps.database.asSystem((transaction) =>
      transaction.select().from(answers).where(eq(answers.userId, userId)),
    )
    if (rows.every(({lastSeq}) => lastSeq > 0)) return
  }
}

/** Collects the text of each answer that a follower receives, until `isEnough`. */
async function hear(
  stream: ReturnType<typeof openStream>,
  isEnough: (heard: Map<string, Heard>) => boolean,
  heard = new Map<string, Heard>(),
) {
  while (!isEnough(heard)) {
    const frame = await stream.next()
    if (frame === undefined || frame.data === '[DONE]') throw new Error('the stream ended')
    const {message, seq, delta_answer, state, outcome, error} = followFrame.parse(frame.data)
    const text = delta_answer ?? ''
    const known = heard.get(message) ?? {seqs: [], text: ''}
    heard.set(message, {
      seqs: text === '' ? known.seqs : [...known.seqs, seq],
      text: known.text + text,
      ...(state && {state, outcome, error}),
    })
  }
  return heard
}
type Heard = Pick<FollowFrame, 'state' | 'outcome' | 'error'> & {seqs: number[]; text: string}
const hasBegun =
  (...runs: Run[]) =>
  (heard: Map<string, Heard>) =>
    runs.every(({head}) => heard.has(head.message))
const hasEnded =
  (...runs: Run[]) =>
  (heard: Map<string, Heard>) =>
    runs.every(({head}) => heard.get(head.message)?.state !== undefined)

test('several answers go over one stream, each from where the client stands, in every process', async () => {
  const asker = await createAsker(processes.a, '1000')
  const first = await begin(asker)
  const second = await begin(asker)
  await say(first, 'a1', 'a2', 'a3')
  await say(second, 'b1')
  await storeDeltas(asker)
  const followers: {stream: ReturnType<typeof openStream>; heard: Map<string, Heard>}[] = []
  for (const on of [processes.a, processes.b]) {
    const stream = openStream(await follow(on, asker, [{...first.head, last_seq: 2}]))
    followers.push({stream, heard: await hear(stream, hasBegun(first, second))})
  }
  await say(first, 'a4')
  await say(second, 'b2')
  first.turn.finish()
  second.turn.finish({isTruncated: true})
  for (const {stream, heard} of followers) {
    await hear(stream, hasEnded(first, second), heard)
    expect(heard.get(first.head.message)).toEqual({seqs: [3, 4], text: 'a3a4', state: 'finished'})
    expect(heard.get(second.head.message)).toEqual({
      seqs: [1, 2],
      text: 'b1b2',
      state: 'finished',
      outcome: 'truncated',
    })
    await stream.cancel()
  }
})

test('an answer that begins later joins the stream, also one of the other process', async () => {
  const asker = await createAsker(processes.a, '1000')
  const follower = openStream(await follow(processes.b, asker))
  const here = await begin(asker, processes.b)
  const there = await begin(asker, processes.a)
  here.turn.say('here')
  here.turn.finish()
  there.turn.say('there')
  there.turn.finish()
  const heard = await hear(follower, hasEnded(here, there))
  expect([here, there].map(({head}) => heard.get(head.message)?.text)).toEqual(['here', 'there'])
  await follower.cancel()
})

/** Lets followers of `b` look until `heard`: one of an earlier test may still wait, so one look may be another's. */
async function lookUntil<T>(heard: Promise<T>): Promise<T> {
  let isHeard = false
  const done = () => {
    isHeard = true
  }
  heard.then(done, done)
  while (!isHeard) {
    if (processes.clockB.waiting().includes(newAnswersMilliseconds)) processes.clockB.fire(newAnswersMilliseconds)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return heard
}

test('a lost signal costs time only: a follower looks for new answers by itself', async () => {
  const asker = await createAsker(processes.a, '1000')
  const {signals} = processes.b.service.answers
  processes.b.service.answers.signals = {...signals, onceMoved: () => () => undefined}
  try {
    const follower = openStream(await follow(processes.b, asker))
    const last = await begin(asker, processes.b)
    last.turn.say('late')
    await lookUntil(hear(follower, hasBegun(last)))
    // this one has ended before the next look
    const short = await begin(asker, processes.b)
    short.turn.say('short')
    short.turn.finish()
    await short.stream.rest()
    const heard = await lookUntil(hear(follower, hasEnded(short)))
    expect(heard.get(short.head.message)).toEqual({text: 'short', state: 'finished', seqs: [1]})
    last.turn.finish()
    await hear(follower, hasEnded(last))
    await follower.cancel()
  } finally {
    processes.b.service.answers.signals = signals
  }
})

test('what has ended is told once it is named; what cannot be followed fails without an outcome', async () => {
  const asker = await createAsker(processes.a, '1000')
  const run = await begin(asker)
  await say(run, 'one', ' two')
  run.turn.finish()
  await run.stream.rest()
  const unknown = {id: 'nothing', message: 'of ours', attempt: 1, last_seq: 3}
  const follower = openStream(await follow(processes.b, asker, [{...run.head, last_seq: 1}, unknown]))
  const heard = await hear(follower, (known) => hasEnded(run)(known) && known.has(unknown.message))
  expect(heard.get(run.head.message)).toEqual({seqs: [2], text: ' two', state: 'finished'})
  expect(heard.get(unknown.message)).toEqual({
    state: 'failed',
    outcome: undefined,
    error: {code: 'not_found', message: 'This answer cannot be followed. Retrieve the conversation instead.'},
    seqs: [],
    text: '',
  })
  await follower.cancel()
})

test('nobody follows the answers of another user, named or not', async () => {
  const owner = await createAsker(processes.a, '1000')
  const stranger = await createAsker(processes.a, '1000')
  const theirs = await begin(owner)
  await say(theirs, 'secret')
  const follower = openStream(await follow(processes.a, stranger, [{...theirs.head, last_seq: 0}]))
  // begun after the stream was opened, as the stranger's own answer is
  const later = await begin(owner)
  await say(later, 'secret as well')
  const own = await begin(stranger)
  own.turn.say('mine')
  own.turn.finish()
  const heard = await hear(follower, hasEnded(own))
  expect(heard.get(theirs.head.message)).toEqual({
    seqs: [],
    text: '',
    state: 'failed',
    outcome: undefined,
    error: expect.objectContaining({code: 'not_found'}),
  })
  expect([...heard.keys()].sort()).toEqual([theirs.head.message, own.head.message].sort())
  await follower.cancel()
  for (const run of [theirs, later]) run.turn.finish()
})

test('as ndjson it is a line for each frame, and ends with its credential by a cut', async () => {
  const asker = await createAsker(processes.a, '1000')
  const response = await follow(processes.a, asker, undefined, 'application/x-ndjson')
  expect(response.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8')
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  const run = await begin(asker)
  await say(run, 'x')
  await storeDeltas(asker)
  let text = ''
  while (!text.includes('"delta_answer":"x"')) text += (await reader?.read())?.value ?? ''
  expect(text.trim().split('\n')).toHaveLength(2)
  await processes.a.server.deps.database.asSystem((transaction) =>
    transaction.update(credentials).set({revokedAt: new Date()}).where(eq(credentials.id, asker.credentialId)),
  )
  const cut = reader?.read()
  processes.clockA.fire(revocationMilliseconds)
  await expect(cut).rejects.toThrow()
  run.turn.finish()
})
