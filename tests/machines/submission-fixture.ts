import {createActor, fromPromise, setup, SimulatedClock, type AnyEventObject} from 'xstate'
import {lostContact} from '#domain/failure.ts'
import type {Intent, StoredIntent} from '#domain/intent.ts'
import {submissionMachine} from '#machines/submission/submission.machine.ts'
import type {TaskAcceptance, PostInput, Preparation, SubmissionInput} from '#machines/submission/submission.types.ts'
import {selectRequest} from '#machines/task-requests/task-requests.selectors.ts'
import type {ToolRef} from '#domain/tool-ref.ts'
import {startEnvironment} from './environment-fixture.ts'
import {intent, record, startList} from './media-fixtures.ts'
import {nobody} from './nobody.ts'

export const failed = (status: number, code: string) => Object.assign(new Error('foo'), {status, code, detail: 'foo'})
export const unauthorized = {status: 401, code: 'invalid_token', detail: 'foo'}
export const usedUp = {status: 403, code: 'used_up', detail: 'foo'}
export const input: SubmissionInput = {
  ...startList().input,
  environment: startEnvironment(),
  parentRef: nobody,
  intent: intent('k'),
  origin: 'new',
}
export const stored = (state: StoredIntent['state'], more: Partial<SubmissionInput> = {}): SubmissionInput => ({
  ...input,
  intent: {...intent('k'), state, failure: usedUp},
  origin: 'stored',
  ...more,
})
export const own = {...record('t-1'), task: {...record('t-1').task, request: intent('k').submission.body}}

export type Fakes = {
  preparation?: Partial<Preparation>
  post: (call: number) => Promise<TaskAcceptance>
  save?: () => Promise<void>
  prepare?: (call: number) => Promise<void>
}

export function start(fakes: Fakes, more: Partial<SubmissionInput> = {}, isOnline = true) {
  const environment = startEnvironment({isOnline})
  const facts: AnyEventObject[] = []
  const posted: string[] = []
  /** The stored request after each write of it; nothing once it was forgotten. */
  const kept: (StoredIntent | undefined)[] = []
  let prepared = 0
  const machine = submissionMachine.provide({
    actors: {
      saveIntent: fromPromise<void, {userId: string; intent: Intent}>(fakes.save ?? (async () => undefined)),
      prepareRequest: fromPromise<Preparation, {ref: ToolRef; intent: Intent}>(async () => {
        prepared += 1
        await fakes.prepare?.(prepared)
        return {repeats: true, isHeld: false, isOld: false, ...fakes.preparation}
      }),
      postRequest: fromPromise<TaskAcceptance, PostInput>(({input: {intent: sent}}) => {
        posted.push(sent.key)
        return fakes.post(posted.length)
      }),
    },
    actions: {
      keepIntent: (_, written) => void kept.push(written.stored),
      forgetIntent: () => void kept.push(undefined),
    },
  })
  const clock = new SimulatedClock()
  const parent = setup({actors: {child: machine}}).createMachine({
    invoke: {id: 'child', src: 'child', input: ({self}) => ({...input, ...more, environment, parentRef: self})},
    on: {'*': {actions: ({event}) => void (event.type.startsWith('xstate.') || facts.push(event))}},
  })
  const child = createActor(parent, {clock}).start().getSnapshot().children.child
  if (child === undefined) throw new Error('The child did not start')
  const states: string[] = []
  const look = () => {
    const snapshot = child.getSnapshot()
    const state = snapshot.matches('joined') ? 'joined' : selectRequest(snapshot).state
    if (states.at(-1) !== state && snapshot.status === 'active') states.push(state)
  }
  look()
  child.subscribe(look)
  const turn = async () => {
    for (let round = 0; round < 4; round += 1) await new Promise<void>((resolve) => setImmediate(resolve))
  }
  const named = (type: string) => facts.filter((fact) => fact.type === type)
  return {child, environment, clock, facts, named, posted, kept, states: () => states, turn}
}

export const lostError = () => Object.assign(new Error('foo'), lostContact('foo'))
