import {randomUUID} from 'node:crypto'
import {eq} from 'drizzle-orm'
import {applications, credentials} from '#server/store/schema/platform.ts'
import {answerDetailsRoutes} from '#server/ai/answers/answer-details.routes.ts'
import {apiRoutes} from '#server/ai/ai.routes.ts'
import {createAiService, type AiService} from '#server/ai/ai-service.ts'
import type {Config} from '#server/config.ts'
import type {ServerDeps} from '#server/deps.ts'
import {grantCredits} from '#server/ledger/ledger.ts'
import type {Provider} from '#server/providers/provider.ts'
import {createProviderRegistry} from '#server/providers/registry.ts'
import {realTimers, type Timers} from '#server/providers/timers.ts'
import {hashToken, randomToken} from '#server/secrets.ts'
import {manualTimers} from './providers.fixtures.ts'
import type {createScriptedProvider} from './scripted-provider.ts'
import {createTestServer, type TestServer, type TestServerOptions, type TestUser} from './harness.ts'
import {insertLivingWorker} from './living-worker.ts'

export type AiServer = {
  server: TestServer
  service: AiService
  workerId: string
  /** Ends the process's part without a word, as a crash would: nothing is drained or stored. */
  close: () => Promise<void>
}

export type AiServerOptions = {
  providers: readonly Provider[]
  config?: Partial<Config>
  timers?: Timers
  sharing?: AiServer
  requests?: TestServerOptions['requests']
}

/** The AI service of one process on a fresh database; `sharing` makes a second process on the same one. */
export async function createAiServer({
  providers,
  config,
  timers = realTimers,
  sharing,
  requests,
}: AiServerOptions): Promise<AiServer> {
  const workerId = `worker-${randomUUID()}`
  let service: AiService | undefined
  const server = await createTestServer({
    config: {
      limitFactor: 1,
      ...config,
    },
    sharing: sharing?.server,
    requests,
    routes: (deps) => {
      service = createService(deps, providers, timers, workerId)
      return [...apiRoutes(service), ...answerDetailsRoutes(deps)]
    },
  })
  if (service === undefined) throw new Error('The routes were not asked for')
  const created = service
  await insertLivingWorker(server, workerId)
  await created.start()
  return {
    server,
    service: created,
    workerId,
    close: async () => {
      await created.stop()
      await server.close()
    },
  }
}

/** A whole exchange with a scripted model; resolves when the answer is stored. */
export async function exchangeWith(
  {on, model, asker}: {on: AiServer; model: ReturnType<typeof createScriptedProvider>; asker: Asker},
  body: Record<string, unknown>,
  ...texts: string[]
) {
  const stream = openStream(await ask(on, asker, body))
  const turn = await model.next()
  turn.say(...texts)
  turn.usage(10, 5)
  turn.finish()
  const head = await headOf(stream)
  const frames = await stream.rest()
  return {...head, frames, turn}
}

/**
 * Two processes of one installation. Their timers are the test's, so that nothing depends on how fast the machine is.
 */
export async function createTwoProcesses(provider: Provider, config: Partial<Config> = {}) {
  const [clockA, clockB] = [manualTimers(), manualTimers()]
  const a = await createAiServer({providers: [provider], config, timers: clockA.timers})
  const b = await createAiServer({providers: [provider], config, timers: clockB.timers, sharing: a})
  return {
    a,
    b,
    clockA,
    clockB,
    close: async () => {
      await b.close()
      await a.close()
    },
  }
}

function createService(deps: ServerDeps, providers: readonly Provider[], timers: Timers, workerId: string): AiService {
  const registry = createProviderRegistry({
    configured: providers.map((provider) => ({provider, groups: ['chatgpt']})),
    detect: () => Promise.resolve([]),
    sandbox: undefined,
    now: deps.now,
    log: deps.log,
  })
  return createAiService(deps, {registry, workerId: () => workerId, timers})
}

export type Asker = {userId: string; applicationId: string; credentialId: string; token: string}

/** A user with an application, credits and a key without a host. */
export async function createAsker(
  {server}: Pick<AiServer, 'server'>,
  credits = '10',
  owner?: TestUser,
): Promise<Asker> {
  const {user} = owner ?? (await server.createUser())
  const token = `sk-atrium-${randomToken()}`
  return server.deps.database.asSystem(async (transaction) => {
    const [application] = await transaction.insert(applications).values({userId: user.id, scope: 'Global'}).returning()
    if (application === undefined) throw new Error('no application')
    const entry = {
      applicationId: application.id,
      userId: user.id,
      amount: credits,
      reference: `grant:${application.id}`,
    }
    await grantCredits(transaction, entry)
    const [credential] = await transaction
      .insert(credentials)
      .values({userId: user.id, applicationId: application.id, tokenHash: hashToken(token)})
      .returning()
    if (credential === undefined) throw new Error('no credential')
    return {userId: user.id, applicationId: application.id, credentialId: credential.id, token}
  })
}

export const chatPath = '/services/api/aichat/conversations'

/** A call of the AI host with the user's key. */
export const post = (
  {server}: AiServer,
  {token}: Pick<Asker, 'token'>,
  body: unknown,
  {
    accept = 'application/json',
    headers = {},
    signal,
  }: {accept?: string; headers?: Record<string, string>; signal?: AbortSignal | undefined} = {},
): Promise<Response> => server.call('POST', chatPath, {token, body, signal, headers: {accept, ...headers}})

export const ask = (
  on: AiServer,
  asker: Asker,
  body: Record<string, unknown> = {},
  headers: Record<string, string> = {},
  signal?: AbortSignal,
) =>
  post(
    on,
    asker,
    {question: 'foo', model: 'foo-model', stateful: true, ...body},
    {accept: 'text/event-stream', headers, signal},
  )

export async function balanceOf(
  {server}: Pick<AiServer, 'server'>,
  {applicationId}: Asker,
): Promise<{remaining: string; used: string}> {
  const [row] = await server.deps.database.asSystem((transaction) =>
    transaction.select().from(applications).where(eq(applications.id, applicationId)),
  )
  return {remaining: row?.remainingAmount ?? '', used: row?.usedAmount ?? ''}
}

/** Credits that the asker's key has used. */
export async function usedByKey(
  {server}: Pick<AiServer, 'server'>,
  {credentialId}: Asker,
): Promise<string | undefined> {
  const [row] = await server.deps.database.asSystem((transaction) =>
    transaction.select({used: credentials.usedAmount}).from(credentials).where(eq(credentials.id, credentialId)),
  )
  return row?.used
}

export type Frame = {
  seq: number | undefined
  data: Record<string, unknown> | '[DONE]'
}

/** Reads an event stream frame by frame. */
export function openStream(response: Response) {
  if (response.body === null) throw new Error('no body')
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let buffer = ''
  const next = async (): Promise<Frame | undefined> => {
    for (;;) {
      const end = buffer.indexOf('\n\n')
      if (end >= 0) {
        const lines = buffer.slice(0, end).split('\n')
        buffer = buffer.slice(end + 2)
        const data = lines.find((line) => line.startsWith('data: '))?.slice(6)
        if (data === undefined) continue
        const seq = lines.find((line) => line.startsWith('id: '))?.slice(4)
        return {
          seq: seq === undefined ? undefined : Number(seq),
          data: data === '[DONE]' ? data : (JSON.parse(data) as Record<string, unknown>),
        }
      }
      const {done, value} = await reader.read()
      if (done) return undefined
      buffer += value
    }
  }
  const rest = async (): Promise<Frame[]> => {
    const frames: Frame[] = []
    for (let frame = await next(); frame !== undefined; frame = await next()) frames.push(frame)
    return frames
  }
  return {next, rest, cancel: () => reader.cancel()}
}

/** The identifiers in the first frame. */
export async function headOf(
  stream: ReturnType<typeof openStream>,
): Promise<{id: string; message: string; attempt: number}> {
  const frame = await stream.next()
  if (frame === undefined || frame.data === '[DONE]') throw new Error('no first frame')
  const {id, message, attempt} = frame.data
  return {id: String(id), message: String(message), attempt: Number(attempt)}
}

export const textOf = (frames: readonly Frame[]): string =>
  frames
    .map(({data}) => (data !== '[DONE]' && typeof data['delta_answer'] === 'string' ? data['delta_answer'] : ''))
    .join('')
