import {describe, expect, test} from 'vitest'
import {createActor} from 'xstate'
import type {GenerationApi} from '#api/generation.ts'
import {createSubmissionLogic} from '#app/logic/media/submission.logic.ts'
import type {TaskPortDeps} from '#app/logic/media/task-ports.ts'
import type {Service} from '#contract/management.ts'
import {start as startProvisioning} from './machines/start-provisioning.ts'
import {equipped, credential, service} from './machines/provisioning-fixtures.ts'
import {stored} from './machines/submission-fixture.ts'

/*
 * A request that was on its way when its page was left. The next page has the kept credential at once; whether the
 * service takes a repeated key it knows only once that was read.
 */

const keyed: Service = {...service, metadata: {capabilities: ['idempotency']}}
const turns = () => new Promise((resolve) => setTimeout(resolve))

/** A page whose service answers when the test says so. */
async function startPage() {
  let answer: (service: Service) => void = () => undefined
  let refuse: (error: Error) => void = () => undefined
  const read = new Promise<Service>((resolve, reject) => ([answer, refuse] = [resolve, reject]))
  const {actor: provisioning} = startProvisioning(
    {service: () => read},
    {restored: {applications: [equipped], application: equipped, credential}},
  )
  const posted: string[] = []
  const api: GenerationApi = {
    isHeld: () => false,
    submit: async ({key}) => {
      posted.push(key)
      return {task: 't-1', response: {}}
    },
  }
  // as: the members that the ports of a request use
  const parts = {
    deps: {bulk: {saveIntent: async () => undefined, removeIntent: () => undefined}},
    manifest: {loadTool: async () => ({tool: {operations: {make: {path: '/make'}}, identity: {group: 'image'}}})},
    lookup: {provisioning: () => provisioning},
    clock: {now: () => 1_000},
  } as unknown as TaskPortDeps
  const logic = createSubmissionLogic(parts, async () => api)
  const submission = createActor(logic, {input: stored(undefined)}).start()
  await turns()
  return {submission, posted, answer, refuse}
}

describe('a request on its way when its page was left', () => {
  test('waits for what the service says of repeated keys, then goes out with its key', async () => {
    const page = await startPage()
    expect(page.submission.getSnapshot().matches({recovering: 'reading'})).toBe(true)
    page.answer(keyed)
    await turns()
    expect(page.posted).toEqual(['k'])
    expect(page.submission.getSnapshot().matches('joined')).toBe(true)
  })

  test.each([
    ['takes no repeated keys', (page: Awaited<ReturnType<typeof startPage>>) => page.answer(service)],
    ['cannot be read', (page: Awaited<ReturnType<typeof startPage>>) => page.refuse(new Error('foo'))],
  ])('is looked for where the service %s', async (_, settle) => {
    const page = await startPage()
    settle(page)
    await turns()
    expect(page.posted).toEqual([])
    expect(page.submission.getSnapshot().matches('looking')).toBe(true)
  })
})
