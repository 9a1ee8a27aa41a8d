import {eventually} from './eventually.ts'
import {expect, onTestFinished, test, vi} from 'vitest'
import {createActor, createMachine} from 'xstate'
import * as openFlowLog from '#app/flow/open-flow-log.ts'
import {noteFlow} from '#app/note-flow.ts'
import type {Root} from '#app/logic/root.ts'
import type {RootDeps} from '#app/logic/root-deps.ts'
import {createStoredText} from '#browser/stored-text.ts'

const press = () => dispatchEvent(new KeyboardEvent('keydown', {key: 'a'}))

/** Opens the notes of a page with a user. */
function open(load: () => Promise<typeof openFlowLog>, pageFetch: typeof fetch = async () => Response.json({})) {
  const leftFlow = createStoredText(sessionStorage, 'foo')
  onTestFinished(() => leftFlow.write(undefined))
  const session = {getSnapshot: () => ({context: {user: {id: 'bar'}, epoch: 1}})}
  // as: the members that are used
  const page = {deps: {leftFlow, state: {epoch: () => 1}}, root: {actors: {session: () => session}}} as unknown as {
    deps: RootDeps
    root: Root
  }
  const log = vi.fn()
  return {log, flow: noteFlow(pageFetch, log, () => page, load)}
}

function pending<Value>() {
  let resolve: (value: Value) => void = () => undefined
  const promise = new Promise<Value>((onValue) => (resolve = onValue))
  return {promise, resolve}
}

/** A log whose part comes when it is let. */
function openSlowly(pageFetch?: typeof fetch) {
  const {promise, resolve} = pending<typeof openFlowLog>()
  return {...open(() => promise, pageFetch), come: () => resolve(openFlowLog)}
}

const machine = createMachine({
  initial: 'idle',
  states: {idle: {on: {ask: 'asking'}}, asking: {on: {end: 'finished'}}, finished: {on: {ask: 'asking'}}},
})
type Flow = ReturnType<typeof open>['flow']
const start = (flow: Flow) =>
  createActor(machine, {id: 'conversation/foo', inspect: (report) => flow.observe(report)}).start()
const names = (flow: Flow) =>
  flow
    .log()
    ?.entries()
    .map((entry) => ('address' in entry ? entry.address : 'state' in entry ? entry.state : entry.page))

test('a log that could not be loaded is loaded with the next press, and no more once it is there', async () => {
  const loads = vi.fn(async () => openFlowLog)
  loads.mockRejectedValueOnce(new TypeError('Failed to fetch'))
  const {flow, log} = open(loads)
  press()
  const actor = start(flow)
  await eventually(() =>
    expect(log).toHaveBeenCalledWith('What happens is not noted', {error: 'TypeError: Failed to fetch'}),
  )
  expect(flow.log()).toBeUndefined()
  actor.send({type: 'ask'})
  press()
  await eventually(() => expect(flow.log()).toBeDefined())
  expect(names(flow)).toEqual(['"idle"', '"asking"'])
  press()
  expect(loads).toHaveBeenCalledTimes(2)
})

test('a call leaves at once and is answered though the log never comes', async () => {
  const answer = Response.json({})
  const pageFetch = vi.fn(async () => answer)
  const {flow} = openSlowly(pageFetch)
  press()
  const init = {method: 'POST'}
  const call = flow.send('/question', init)
  expect(pageFetch).toHaveBeenCalledExactlyOnceWith('/question', init)
  expect(await call).toBe(answer)
})

test('what happens while the log loads is noted when it is there, in order and with its times', async () => {
  vi.useFakeTimers({toFake: ['Date'], now: 1_000})
  onTestFinished(() => void vi.useRealTimers())
  const lost = new TypeError('lost')
  const {promise, resolve} = pending<Response>()
  const {flow, come} = openSlowly((address) =>
    address === '/lost' ? Promise.reject(lost) : address === '/slow' ? promise : Promise.resolve(Response.json({})),
  )
  void flow.send('/before the press')
  press()
  const actor = start(flow)
  vi.setSystemTime(2_000)
  actor.send({type: 'ask'})
  const slow = flow.send('/slow')
  await expect(flow.send('/lost')).rejects.toBe(lost)
  vi.setSystemTime(2_500)
  await flow.send('/fast')
  vi.setSystemTime(9_000)
  come()
  await eventually(() => expect(names(flow)).toEqual(['"idle"', '"asking"', '/slow', '/lost', '/fast']))
  vi.setSystemTime(9_500)
  resolve(Response.json({}, {status: 201}))
  await slow
  await eventually(() =>
    expect(flow.log()?.entries()).toMatchObject([
      {at: 1_000},
      {at: 2_000},
      {at: 2_000, status: 201, took: 7_500},
      {at: 2_000, took: 0},
      {at: 2_500, status: 200, took: 0},
    ]),
  )
  actor.send({type: 'end'})
  await flow.send('/noted by the log')
  expect(names(flow)?.slice(-2)).toEqual(['"finished"', '/noted by the log'])
})

test('of what waits for the log the newest is kept, and nothing of a session that has ended', async () => {
  const {flow, come} = openSlowly()
  press()
  const stop = {method: 'POST', body: '{"action":"stop","id":"c1","message":"m1"}'}
  for (let count = 1; count <= 700; count += 1) await flow.send(`/${count}`, stop)
  flow.forget()
  for (let count = 1; count <= 700; count += 1) await flow.send(`/new/${count}`, stop)
  come()
  await eventually(() => expect(names(flow)).toHaveLength(600))
  expect(names(flow)?.at(0)).toBe('/new/101')
})
