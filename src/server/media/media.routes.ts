import type {MediaTool} from '#contract/media/media-tool.ts'
import {z} from '#contract/schema.ts'
import {generationCall, taskCommand, type GenerationCall, type TaskCommand} from '#contract/tasks-requests.ts'
import type {Identity} from '../auth/identity.ts'
import {parseStrictly} from '../http/parse.ts'
import {route, type Route, type RouteInput} from '../http/route.ts'
import {platformBase} from '../platform/addresses.ts'
import {checkKey} from '../runs/idempotency.ts'
import {allowedCallback, checkCallback} from './callbacks.ts'
import type {MediaService} from './media-service.ts'
import {operationsOf, type FoundOperation} from './operations.ts'
import {runningTasksRoute} from './running-tasks.ts'
import {submitTask} from './submit-task.ts'
import {deleteTask, retrieveTask, retrieveTasks, type TaskCaller} from './task-commands.ts'
import {queuedResponse, streamedResponse, waitedResponse} from './task-response.ts'

type Body = Record<string, unknown>

/**
 * The media services, all made of the tools' values (contract/media §1): one route for each path of an operation,
 * `/{service}/tasks` for each service, and the running tasks over all of them.
 */
export const mediaRoutes = (service: MediaService): Route[] => [
  ...service.tools.flatMap((tool) => [
    ...generationRoutes(service, tool),
    route({
      service: 'api',
      method: 'POST',
      path: `/${tool.identity.service}/tasks`,
      policy: 'credential',
      body: taskCommand,
      handle: async (input) => Response.json(await command(service, tool, input)),
    }),
  ]),
  runningTasksRoute(service.commands.deps),
]

function generationRoutes(service: MediaService, tool: MediaTool): Route[] {
  const operations = operationsOf(tool)
  const paths = [...new Set(operations.map(({operation}) => operation.path))]
  return paths.map((path) =>
    route({
      service: 'api',
      method: 'POST',
      path,
      policy: 'credential',
      limit: 'generate',
      body: generationCall,
      handle: (input) =>
        generate(
          service,
          operations.filter(({operation}) => operation.path === path),
          input,
        ),
    }),
  )
}

async function generate(
  service: MediaService,
  operations: readonly FoundOperation[],
  input: RouteInput<GenerationCall, undefined>,
): Promise<Response> {
  const {identity, context, origin, traceId} = input
  const {config} = service.submit.deps
  const {callback_url: callbackUrl, async: isAsync = false, ...sentBody} = input.body
  checkCallback(callbackUrl)
  const reading = readBody(operations, sentBody)
  const {task, isReplay} = await submitTask(service.submit, {
    ...reading,
    identity,
    sent: sentBody,
    callbackUrl: allowedCallback(config, callbackUrl),
    key: checkKey(context.req.header('idempotency-key')),
    traceId,
  })
  const request = {
    task,
    base: platformBase(config, origin),
    credentialId: identity.credentialId,
    client: input.client,
    headers: isReplay ? {'idempotent-replay': 'true'} : ({} as Record<string, string>), // one type for both
    signal: input.signal,
    mostSeconds: typeof reading.body.timeout === 'number' ? reading.body.timeout : undefined,
  }
  if (isAsync || (callbackUrl !== undefined && callbackUrl !== '')) return queuedResponse(request)
  const accepts = context.req.header('accept') ?? ''
  return accepts.includes('application/x-ndjson')
    ? streamedResponse(service.responses, request)
    : waitedResponse(service.responses, request)
}

/** The first operation of a path that understands the body; none is a 400 that names the field. */
function readBody(operations: readonly FoundOperation[], sentBody: Body): FoundOperation & {body: Body} {
  for (const eachOperation of operations) {
    const result = z.safeParse(eachOperation.operation.body, sentBody)
    // as: a body that was sent as an object is read as one
    if (result.success) return {...eachOperation, body: result.data as Body}
  }
  const [first] = operations
  if (first === undefined) throw new Error('A path has an operation')
  const schemas = operations.map(({operation}) => operation.body)
  const body = parseStrictly(schemas.length === 1 ? first.operation.body : z.union(schemas), sentBody, 'body')
  return {...first, body: body as Body} // not reached: none of them understood it
}

async function command(
  {commands}: MediaService,
  tool: MediaTool,
  {identity, body, origin}: RouteInput<TaskCommand, undefined>,
) {
  const caller: TaskCaller = {
    service: tool.identity.service,
    identity: identity satisfies Identity,
    base: platformBase(commands.deps.config, origin),
  }
  switch (body.action) {
    case 'retrieve':
      return retrieveTask(commands, caller, body)
    case 'retrieve_batch':
      return retrieveTasks(commands, caller, body)
    case 'delete':
      return deleteTask(commands, caller, body)
  }
}
