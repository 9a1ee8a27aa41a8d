import {describe, expect, test} from 'vitest'
import {createActor} from 'xstate'
import {
  commandKeysMachine,
  selectClash,
  selectIsChanged,
  selectKeys,
  selectSaying,
  type CommandKeysEvent,
} from '#machines/command-keys/command-keys.machine.ts'
import type {EventFixtures} from './graph.ts'
import {describeRules} from './rules.ts'

const first = {palette: 'Mod+K', help: '?'}
const fixed = ['J', 'F2']
const events = {
  'keys.change': [
    {type: 'keys.change', command: 'palette'},
    {type: 'keys.change', command: 'help'},
  ],
  'keys.press': [
    {type: 'keys.press', chord: 'Mod+E'},
    {type: 'keys.press', chord: 'Mod+K'},
    {type: 'keys.press', chord: 'Mod+T'},
    {type: 'keys.press', chord: 'J'},
    {type: 'keys.press', chord: '?'},
  ],
  'keys.cancel': [{type: 'keys.cancel'}],
  'keys.reset': [
    {type: 'keys.reset', command: 'palette'},
    {type: 'keys.reset', command: 'help'},
  ],
  'keys.resetAll': [{type: 'keys.resetAll'}],
  'keys.stored': [{type: 'keys.stored', changed: {palette: 'Mod+E'}}],
} satisfies EventFixtures<CommandKeysEvent>

const quiet = commandKeysMachine.provide({actions: {storeKeys: () => undefined}})

describe('the keys of commands', () => {
  const {coverage, states} = describeRules(quiet, {
    input: {first, changed: {}, fixed},
    inputs: [{first, changed: {help: 'Mod+K', palette: 'Mod+E'}, fixed}],
    events: Object.values(events).flat(),
    key: ({context}) => context,
  })
  test('every transition is taken', () => expect(coverage.missing(quiet)).toEqual([]))
  test('no two commands have the same keys', () => {
    const twice = states.filter((state) => selectKeys(state, 'palette') === selectKeys(state, 'help'))
    expect(twice.map(({context}) => context.changed)).toEqual([])
  })
  test('keys of the browser are never taken', () =>
    expect(states.filter((state) => selectKeys(state, 'palette') === 'Mod+T')).toEqual([]))
  test('keys of views are never taken', () =>
    expect(states.filter((state) => selectKeys(state, 'palette') === 'J')).toEqual([]))
})

test('refused keys name the reason, the next press counts, and a reset gives the first ones back', () => {
  const stored: object[] = []
  const actor = createActor(
    commandKeysMachine.provide({actions: {storeKeys: (_, {changed}) => void stored.push(changed)}}),
    {input: {first, changed: {}, fixed}},
  ).start()
  const saying = () => selectSaying(actor.getSnapshot(), 'palette')
  actor.send({type: 'keys.change', command: 'palette'})
  expect(saying()).toBe('press')
  actor.send({type: 'keys.press', chord: '?'})
  expect(saying()).toEqual({reason: 'taken', keys: '?', by: 'help'})
  actor.send({type: 'keys.press', chord: 'Mod+W'})
  expect(saying()).toEqual({reason: 'browser', keys: 'Mod+W'})
  actor.send({type: 'keys.press', chord: 'F2'})
  expect(saying()).toEqual({reason: 'fixed', keys: 'F2'})
  actor.send({type: 'keys.press', chord: 'Mod+E'})
  expect([saying(), selectKeys(actor.getSnapshot(), 'palette')]).toEqual([undefined, 'Mod+E'])
  actor.send({type: 'keys.change', command: 'help'})
  actor.send({type: 'keys.press', chord: 'Mod+K'})
  actor.send({type: 'keys.reset', command: 'palette'})
  expect(saying()).toEqual({reason: 'taken', keys: 'Mod+K', by: 'help'})
  actor.send({type: 'keys.resetAll'})
  expect(selectIsChanged(actor.getSnapshot(), 'help')).toBe(false)
  expect(stored).toEqual([{palette: 'Mod+E'}, {palette: 'Mod+E', help: 'Mod+K'}, {}])
})

test('what another tab stores meanwhile is kept; keys of a command of a newer build are, and are in no way', () => {
  const stored: object[] = []
  const actor = createActor(
    commandKeysMachine.provide({actions: {storeKeys: (_, {changed}) => void stored.push(changed)}}),
    {input: {first, changed: {zenMode: 'F9'}, fixed}},
  ).start()
  actor.send({type: 'keys.change', command: 'palette'})
  actor.send({type: 'keys.stored', changed: {zenMode: 'F9', help: 'F8'}})
  actor.send({type: 'keys.press', chord: 'F9'})
  expect(stored).toEqual([{zenMode: 'F9', help: 'F8', palette: 'F9'}])
})

const three = {palette: 'Mod+K', copy: 'Mod+E', help: '?'}
test.each([
  ['of the command before it', {help: 'Mod+K'}, {help: {reason: 'taken', keys: 'Mod+K', by: 'palette'}}],
  ['of a command after it', {palette: '?'}, {help: {reason: 'taken', keys: '?', by: 'palette'}}],
  [
    'of commands on both sides',
    {copy: '?', palette: '?'},
    {copy: {reason: 'taken', keys: '?', by: 'palette'}, help: {reason: 'taken', keys: '?', by: 'palette'}},
  ],
  ['of a view', {help: 'F2'}, {help: {reason: 'fixed', keys: 'F2'}}],
  [
    'of the browser and of a command after it',
    {palette: 'Mod+T', help: 'Mod+T'},
    {
      palette: {reason: 'browser', keys: 'Mod+T'},
      help: {reason: 'taken', keys: 'Mod+T', by: 'palette'},
    },
  ],
  ['of none, for two', {palette: '', help: ''}, {}],
])('chosen keys %s are named beside what they do not run', (_name, changed, clashes) => {
  const actor = createActor(quiet, {input: {first: three, changed, fixed}}).start()
  const of = (command: string) => [command, selectClash(actor.getSnapshot(), command)] as const
  expect(Object.fromEntries(Object.keys(three).map(of))).toEqual(clashes)
})
