import {describe, expect, test} from 'vitest'
import {createActor, fromPromise, waitFor} from 'xstate'
import type {SavedPrompt} from '#contract/prompts.ts'
import {
  savedPromptsMachine,
  type SavedPromptsRecord,
  type PromptChange,
  type SavedPromptsEvent,
} from '#machines/saved-prompts/saved-prompts.machine.ts'
import type {EventFixtures} from './graph.ts'
import {describeRules} from './rules.ts'

const a: SavedPrompt = {id: 'a', name: 'a', text: 'foo'}
const b: SavedPrompt = {id: 'b', name: 'b', text: 'bar'}
const kept: SavedPromptsRecord = {prompts: [a], instructions: ''}

const events = {
  'prompts.load': [{type: 'prompts.load'}, {type: 'prompts.load', draft: b}],
  'prompt.edit': [{type: 'prompt.edit', prompt: b}],
  'prompt.type': [{type: 'prompt.type', prompt: b}],
  'prompt.cancel': [{type: 'prompt.cancel'}],
  'change.taken': [{type: 'change.taken', change: {type: 'prompt.save', prompt: b}}],
  'prompt.save': [{type: 'prompt.save', prompt: b}],
  'prompt.remove': [{type: 'prompt.remove', id: 'a'}],
  'prompt.restore': [{type: 'prompt.restore'}],
  'instructions.save': [{type: 'instructions.save', text: 'foo'}],
} satisfies EventFixtures<SavedPromptsEvent>

describe('savedPrompts', () => {
  const {coverage, edges} = describeRules(savedPromptsMachine, {
    input: undefined,
    events: Object.values(events).flat(),
    outputs: {loadKept: [kept], writeChange: [undefined]},
    errors: [new Error('foo')],
    limit: 20_000,
    key: ({context}) => [context],
  })

  test('every transition is taken', () => {
    expect(coverage.missing(savedPromptsMachine)).toEqual([])
  })

  test('nothing changes before the server has taken it', () => {
    const early = edges.filter(
      ({state, event, nextState}) =>
        nextState.context.prompts !== state.context.prompts && !/^xstate\.done\.actor/.test(event.type),
    )
    expect(early).toEqual([])
  })

  test('a form closes once the server has its prompt, or when it is cancelled, and not otherwise', () => {
    const closed = edges.filter(
      ({state, nextState}) => state.matches({form: 'open'}) && nextState.matches({form: 'closed'}),
    )
    expect(new Set(closed.map(({event}) => event.type))).toEqual(
      new Set(['prompt.cancel', 'change.taken', 'xstate.done.actor.writeChange']),
    )
    const saved = closed.filter(({event}) => event.type === 'xstate.done.actor.writeChange')
    expect(saved.filter(({nextState}) => !nextState.context.prompts.includes(b))).toEqual([])
    const open = edges.filter(({nextState}) => nextState.matches({form: 'open'}))
    expect(open.filter(({nextState}) => nextState.context.edited === undefined)).toEqual([])
  })
})

test('a removed prompt can be taken back, and a refusal keeps what was there', async () => {
  const changes: PromptChange[] = []
  let isRefusing = false
  const actor = createActor(
    savedPromptsMachine.provide({
      actors: {
        loadKept: fromPromise<SavedPromptsRecord, undefined>(async () => ({...kept, prompts: [a, b]})),
        writeChange: fromPromise<void, PromptChange>(async ({input}) => {
          changes.push(input)
          if (isRefusing) throw new Error('foo')
        }),
      },
    }),
  ).start()
  const rest = () => waitFor(actor, (snapshot) => snapshot.matches({server: 'ready'}))
  await rest()
  actor.send({type: 'prompt.remove', id: 'a'})
  expect((await rest()).context.prompts).toEqual([b])
  actor.send({type: 'prompt.restore'})
  expect((await rest()).context.prompts).toEqual([a, b])
  actor.send({type: 'prompt.restore'})
  expect(actor.getSnapshot().matches({server: 'ready'})).toBe(true)
  isRefusing = true
  actor.send({type: 'prompt.remove', id: 'b'})
  const {prompts, failure} = (await rest()).context
  expect(prompts).toEqual([a, b])
  expect(failure?.detail).toBe('foo')
  expect(changes.map(({type}) => type)).toEqual(['prompt.remove', 'prompt.save', 'prompt.remove'])
})

test('removed prompts are taken back one after another, the last one first', async () => {
  const actor = createActor(
    savedPromptsMachine.provide({
      actors: {
        loadKept: fromPromise<SavedPromptsRecord, undefined>(async () => ({...kept, prompts: [a, b]})),
        writeChange: fromPromise<void, PromptChange>(async () => undefined),
      },
    }),
  ).start()
  const rest = () => waitFor(actor, (snapshot) => snapshot.matches({server: 'ready'}))
  const names = async (event: SavedPromptsEvent) => {
    await rest()
    actor.send(event)
    return (await rest()).context.prompts.map(({name}) => name)
  }
  expect(await names({type: 'prompt.remove', id: 'a'})).toEqual(['b'])
  expect(await names({type: 'prompt.remove', id: 'b'})).toEqual([])
  expect(await names({type: 'prompt.restore'})).toEqual(['b'])
  expect(await names({type: 'prompt.restore'})).toEqual(['a', 'b'])
})

test('what another device changed shows with the next load, and what is there stays until then', async () => {
  const answers = [
    Promise.resolve(kept),
    Promise.resolve({prompts: [b], instructions: 'foo'}),
    Promise.reject(new Error('foo')),
  ]
  const actor = createActor(
    savedPromptsMachine.provide({
      actors: {
        loadKept: fromPromise<SavedPromptsRecord, undefined>(() => answers.shift() ?? Promise.reject(new Error('bar'))),
        writeChange: fromPromise<void, PromptChange>(async () => undefined),
      },
    }),
  ).start()
  const rest = async () => (await waitFor(actor, (snapshot) => snapshot.matches({server: {ready: 'still'}}))).context
  await rest()
  actor.send({type: 'prompts.load'})
  expect(actor.getSnapshot().context.prompts).toEqual([a])
  expect(actor.getSnapshot().matches({server: 'ready'})).toBe(true)
  expect(await rest()).toEqual({prompts: [b], instructions: 'foo', removed: []})
  actor.send({type: 'prompts.load'})
  const {prompts, failure} = await rest()
  expect(prompts).toEqual([b])
  expect(failure?.detail).toBe('foo')
})

test('a removed prompt that is back elsewhere is not restored again', async () => {
  const actor = createActor(
    savedPromptsMachine.provide({
      actors: {
        loadKept: fromPromise<SavedPromptsRecord, undefined>(async () => kept),
        writeChange: fromPromise<void, PromptChange>(async () => undefined),
      },
    }),
  ).start()
  const rest = async () => (await waitFor(actor, (snapshot) => snapshot.matches({server: {ready: 'still'}}))).context
  await rest()
  actor.send({type: 'prompt.remove', id: 'a'})
  expect((await rest()).removed).toEqual([a])
  actor.send({type: 'prompts.load'})
  expect((await rest()).removed).toEqual([])
})
