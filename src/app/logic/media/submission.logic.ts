import {fromPromise, waitFor} from 'xstate'
import {ApiError} from '#api/api-error.ts'
import type {GenerationApi} from '#api/generation.ts'
import type {Intent} from '#domain/intent.ts'
import {submissionMachine} from '#machines/submission/submission.machine.ts'
import type {TaskAcceptance, FindInput, PostInput, Preparation} from '#machines/submission/submission.types.ts'
import type {TaskRecord} from '#domain/task-record.ts'
import type {ToolRef} from '#domain/tool-ref.ts'
import {retrieveAround, rulesOf, type TaskPortDeps} from './task-ports.ts'

/** Seconds after which the server may have forgotten a key. */
const longAgo = 24 * 3600

/** Fills the ports of one request on its way: the store that survives a killed tab, set-up, the call itself. */
export function createSubmissionLogic(parts: TaskPortDeps, openApi: () => Promise<GenerationApi>) {
  const {deps, manifest, lookup, clock} = parts
  /** Extensions of the wire that the tool's service names; none where it could not be read. */
  const capabilitiesOf = (tool: string): readonly string[] =>
    lookup.provisioning(tool)?.getSnapshot().context.service?.metadata?.capabilities ?? []

  return submissionMachine.provide({
    actors: {
      saveIntent: fromPromise<void, {userId: string; intent: Intent}>(({input: {userId, intent}}) =>
        deps.bulk.saveIntent(userId, intent),
      ),
      prepareRequest: fromPromise<Preparation, {ref: ToolRef; intent: Intent}>(async ({input: {ref, intent}}) => {
        const api = await openApi()
        // the kept credential is there at once: whether keys may be repeated is known once the service was read
        const setUp = lookup.provisioning(ref.tool)
        if (setUp !== undefined) await waitFor(setUp, ({value}) => value.service !== 'request')
        const capabilities = capabilitiesOf(ref.tool)
        const now = clock.now()
        return {
          repeats: capabilities.includes('idempotency'),
          isHeld: api.isHeld(capabilities),
          isOld: now - intent.at > longAgo,
          now,
        }
      }),
      findTasks: fromPromise<TaskRecord[], FindInput>(({input: {ref, userId, intent}, signal}) =>
        retrieveAround(parts, {ref, userId, time: intent}, signal),
      ),
      postRequest: fromPromise<TaskAcceptance, PostInput>(async ({input: {ref, intent}, signal}) => {
        const {operations, identity} = await rulesOf(manifest, ref.tool)
        const {operation: name, body} = intent.submission
        const operation = operations[name]
        if (operation === undefined)
          throw new ApiError({code: 'bad_request', detail: `The tool has no operation "${name}".`})
        const api = await openApi()
        const {task} = await api.submit(
          {
            service: ref.service,
            path: operation.path,
            body,
            key: intent.key,
            capabilities: capabilitiesOf(ref.tool),
            isStreamed: identity.group !== 'music',
          },
          signal,
        )
        return {task}
      }),
    },
    actions: {
      keepIntent: (_, {userId, stored}) => void deps.bulk.saveIntent(userId, stored),
      forgetIntent: (_, {userId, key}) => deps.bulk.removeIntent(userId, key),
    },
  })
}
