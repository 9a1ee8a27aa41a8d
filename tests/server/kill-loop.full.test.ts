import {mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {setTimeout as pause} from 'node:timers/promises'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {createUser} from '#server/auth/users.ts'
import {silentLog} from '#server/log.ts'
import {createSecrets} from '#server/secrets.ts'
import {findRunningPostgres, takeOver} from '#server/store/cluster-processes.ts'
import {openDatabase} from '#server/store/database.ts'
import {MediaUpstream} from '../../e2e/support/media-upstream.ts'
import {seeded} from '../../e2e/support/toxics.ts'
import {createAsker} from './ai.harness.ts'
import {builtServer, ServerProcess} from './built-server.ts'
import {freePort} from './free-port.ts'
import type {TestUser} from './harness.ts'
import {expectSound, lookInto} from './kill-loop.invariants.ts'
import {startSlowProvider, textFor, type SlowProvider} from './kill-loop.provider.ts'

/*
 * The kill loop of security R78: a real server with its own database is killed thirty times, in its start and at work.
 * The moments are drawn from a seed, so that a run can be repeated as far as a machine repeats anything.
 */

const kills = 30
/** The most requests that a page would have on its way at once. */
const mostAtOnce = 8
const random = seeded(78)

let entry: string
let folder: string
let address: string
let environment: Record<string, string>
let provider: SlowProvider
let upstream: MediaUpstream
const started: ServerProcess[] = []

beforeAll(async () => {
  entry = builtServer()
  folder = mkdtempSync(join(tmpdir(), 'atrium-kills-'))
  provider = await startSlowProvider()
  upstream = await MediaUpstream.start()
  const port = String(await freePort())
  address = `http://127.0.0.1:${port}/services/api`
  const config = join(folder, 'config.json')
  const common = {apiKey: 'sk-test', local: false}
  const providers = [
    {...common, name: 'slow', baseUrl: provider.baseUrl, media: {flux: 'foo-picture'}},
    {...common, name: 'jobs', kind: 'acedata', baseUrl: upstream.url, groups: [], media: {kling: 'kling'}},
  ]
  writeFileSync(config, JSON.stringify({providers}))
  environment = {PORT: port, DATA_DIR: join(folder, 'data'), CONFIG_FILE: config, LIMIT_FACTOR: '1000'}
}, 240_000)

afterAll(async () => {
  for (const server of started) await server.signal('SIGKILL')
  await takeOver(join(folder, 'data', 'postgres'), silentLog).catch(() => undefined)
  await provider.close()
  await upstream.dispose()
  rmSync(folder, {recursive: true, force: true})
})

function run(): ServerProcess {
  const server = new ServerProcess(entry, environment)
  started.splice(0, started.length, server)
  return server
}

/** A user with credits and a key, put straight into the database of the server that runs. */
async function createAccount(): Promise<string> {
  const running = findRunningPostgres(environment['DATA_DIR'] ?? '')
  const owner = {...running, user: 'atrium', database: 'atrium', max: 1}
  // nothing here is asked as a user
  const database = openDatabase(owner, owner, silentLog)
  const deps = {database, now: () => new Date(), log: silentLog, secrets: createSecrets(Buffer.from('test'))}
  try {
    const user = await createUser(deps, {email: 'foo@example.com', nickname: 'foo'})
    // as: what an asker is made of is the user's id and the database
    const asker = await createAsker({server: {deps}} as never, '100000', {user} as TestUser)
    return asker.token
  } finally {
    await database.close()
  }
}

/** One submit: repeated with its key in the next life of the server until it is acknowledged. */
type Submit = {path: string; body: Record<string, unknown>; key: string}
type Heard = {question: string; message: string; text: string; isFinished: boolean}

const post = (token: string, {path, body, key}: Submit) =>
  fetch(address + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: path.startsWith('/aichat') ? 'text/event-stream' : 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify(body),
  })

/** Reads an answer as far as it comes; what was heard stands in `heard` at every moment. */
async function listen(response: Response, heard: Heard): Promise<void> {
  let buffer = ''
  for await (const bytes of (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
    buffer += bytes
    const frames = buffer.split('\n\n')
    buffer = frames.pop() ?? ''
    for (const frame of frames) {
      const data = /^data: (.*)$/m.exec(frame)?.[1]
      if (data === undefined) continue
      if (data === '[DONE]') {
        heard.isFinished = true
        continue
      }
      const {message, delta_answer: delta} = JSON.parse(data) as {message?: string; delta_answer?: string}
      if (message !== undefined) heard.message = message
      heard.text += delta ?? ''
    }
  }
}

test(`${kills} kills: the start is never blocked, the ledger is right, nothing is finished with less than was sent`, async () => {
  let token: string | undefined
  let unanswered: Submit[] = []
  const acknowledged = new Set<string>()
  const allHeard: Heard[] = []
  let number = 0
  let tellBegun: () => void = () => undefined

  const send = async (key: string, submit: Submit) => {
    const isQuestion = submit.path.startsWith('/aichat')
    let response = await post(key, submit)
    // what is busy asks to be tried again, with the same key
    for (let more = 5; (response.status === 503 || response.status === 504) && more > 0; more -= 1) {
      await response.text()
      await pause(1_000 * Number(response.headers.get('retry-after') ?? 1))
      response = await post(key, submit)
    }
    if (response.status !== 200)
      throw new Error(`${submit.path}: ${response.status} ${await response.text()}\n${started[0]?.log ?? ''}`)
    if (!isQuestion) {
      const {task_id: id} = (await response.json()) as {task_id: string}
      acknowledged.add(id)
      unanswered = unanswered.filter((each) => each !== submit)
      return
    }
    const heard: Heard = {question: String(submit.body['question']), message: '', text: '', isFinished: false}
    allHeard.push(heard)
    unanswered = unanswered.filter((each) => each !== submit)
    tellBegun()
    await listen(response, heard)
  }
  const addWork = () => {
    const next = (path: string, body: (name: string) => Record<string, unknown>): Submit => {
      number += 1
      return {path, body: body(`foo ${number}`), key: `kill-loop-key-${number}`}
    }
    const question = (name: string) => ({question: name, model: 'foo-model', stateful: true})
    const media = (name: string) => ({prompt: name, async: true})
    unanswered.push(
      next('/aichat/conversations', question),
      next('/aichat/conversations', question),
      next('/flux/images', media),
      next('/kling/videos', media),
    )
  }
  const submitSome = (key: string): Promise<unknown>[] => {
    // a connection that breaks is what this is about
    return unanswered.slice(0, mostAtOnce).map((submit) =>
      send(key, submit).catch((error: unknown) => {
        if (!(error instanceof TypeError)) throw error
      }),
    )
  }
  const inspect = async (isAtStart: boolean) => {
    const {answers, tasks} = await lookInto(environment['DATA_DIR'] ?? '', (client) => expectSound(client, textFor))
    if (isAtStart) expect(answers.filter(({state}) => state !== 'finished' && state !== 'failed')).toEqual([])
    const ids = new Set([...answers.map(({message_id: id}) => id), ...tasks.map(({id}) => id)])
    expect([...acknowledged].filter((id) => !ids.has(id))).toEqual([])
    for (const {question, message, text, isFinished} of allHeard) {
      expect(textFor(question).startsWith(text)).toBe(true)
      if (message !== '') expect(ids).toContain(message)
      if (text === textFor(question) && isFinished)
        expect(answers.find(({message_id: id}) => id === message)).toMatchObject({state: 'finished'})
    }
    expect(new Set(tasks.map(({prompt}) => prompt)).size).toBe(tasks.length)
    expect(new Set(provider.images).size).toBe(provider.images.length)
    return {answers, tasks}
  }

  for (let kill = 1; kill <= kills; kill += 1) {
    // from here on the upstream's jobs end, also those of killed servers
    if (kill === kills / 2) upstream.finish()
    const server = run()
    const isKilledInStart = kill % 3 === 1
    if (isKilledInStart) await pause(random() * 1_500)
    else {
      await server.ready()
      token ??= await createAccount()
      await inspect(true)
      const begun = new Promise<void>((resolve) => (tellBegun = resolve))
      addWork()
      const sent = submitSome(token)
      // a slow machine is killed at work too, not before it
      await Promise.race([begun, Promise.all(sent)])
      await pause(random() * 500)
      await server.signal('SIGKILL')
      await Promise.all(sent)
    }
    expect(await server.signal('SIGKILL')).toBe('SIGKILL')
  }

  const last = await run().ready()
  await inspect(true)
  addWork()
  while (unanswered.length > 0) await Promise.all(submitSome(token ?? ''))
  const isOpen = ({state}: {state: string}) => !['finished', 'succeeded', 'failed'].includes(state)
  await expect
    .poll(async () => Object.values(await inspect(false)).flatMap((rows) => rows.filter(isOpen)), {timeout: 60_000})
    .toEqual([])
  const {answers, tasks} = await inspect(false)
  // the loop has met work in every state, else it has tested nothing
  expect(new Set(answers.map(({state, outcome}) => outcome ?? state))).toEqual(new Set(['finished', 'interrupted']))
  expect(new Set(tasks.map(({state}) => state))).toEqual(new Set(['succeeded', 'failed']))
  expect(await last.signal('SIGTERM')).toBe(0)
}, 600_000)
