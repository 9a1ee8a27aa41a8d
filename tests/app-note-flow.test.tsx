import {eventually} from './eventually.ts'
import {expect, onTestFinished, test, vi} from 'vitest'
import * as openFlowLog from '#app/flow/open-flow-log.ts'
import {noteFlow} from '#app/note-flow.ts'
import type {Root} from '#app/logic/root.ts'
import type {RootDeps} from '#app/logic/root-deps.ts'
import {createStoredText} from '#browser/stored-text.ts'

const press = () => dispatchEvent(new KeyboardEvent('keydown', {key: 'a'}))

test('a log that could not be loaded is loaded with the next press, and no more once it is there', async () => {
  const log = vi.fn()
  const loads = vi.fn(async () => openFlowLog)
  loads.mockRejectedValueOnce(new TypeError('Failed to fetch'))
  const leftFlow = createStoredText(sessionStorage, 'foo')
  onTestFinished(() => leftFlow.write(undefined))
  // as: the members that are used
  const page = {deps: {leftFlow, state: {epoch: () => 1}}, root: {actors: {session: () => undefined}}} as unknown as {
    deps: RootDeps
    root: Root
  }
  const flow = noteFlow(fetch, log, () => page, loads)
  press()
  await eventually(() =>
    expect(log).toHaveBeenCalledWith('What happens is not noted', {error: 'TypeError: Failed to fetch'}),
  )
  expect(flow.log()).toBeUndefined()
  press()
  await eventually(() => expect(flow.log()).toBeDefined())
  press()
  expect(loads).toHaveBeenCalledTimes(2)
})
