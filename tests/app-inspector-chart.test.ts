import type {StatelyInspectionEvent} from '@stately/inspect'
import {describe, expect, test} from 'vitest'
import type {AnyStateNode} from 'xstate'
import {parseDefinition, toChart, valueText, type ChartNode} from '#app/inspector/chart.ts'
import {
  actorTree,
  changedFields,
  clearLog,
  emptyInspection,
  inspect,
  type ActorBranch,
} from '#app/inspector/inspection-store.ts'
import {authMachine} from '#machines/auth/auth.machine.ts'
import {conversationMachine} from '#machines/conversation/conversation.machine.ts'

const definition = {
  id: 'foo',
  initial: 'idle',
  on: {'foo.reset': '.idle'},
  states: {
    idle: {
      description: 'Nothing runs.',
      on: {
        'foo.start': {target: 'running', guard: {type: 'canStart'}, actions: ['note', {type: 'count'}]},
        'foo.ignore': {},
      },
    },
    running: {
      type: 'parallel',
      tags: ['busy'],
      entry: 'begin',
      exit: [{type: 'end'}],
      invoke: {
        id: 'load',
        src: 'loadData',
        onDone: {target: 'finished'},
        onError: [{guard: 'isLost', target: 'idle'}, {target: 'finished'}],
      },
      after: {deadline: 'idle'},
      onDone: 'finished',
      states: {
        left: {initial: 'a', states: {a: {always: {target: 'b', guard: {type: ''}}}, b: {}}},
        right: {initial: 'c', states: {c: {}, d: {}}},
      },
    },
    finished: {type: 'final'},
  },
}

const find = (node: ChartNode, path: string): ChartNode | undefined =>
  node.path === path ? node : node.children.map((child) => find(child, path)).find((found) => found !== undefined)
const activePaths = (node: ChartNode): string[] =>
  node.isActive ? [node.path, ...node.children.flatMap(activePaths)] : []
const plain = {actions: [], guard: undefined}

describe('toChart', () => {
  test('marks what is active, down to the leaves and in every region', () => {
    const value = {running: {left: 'b', right: 'c'}}
    expect(activePaths(toChart(definition, value))).toEqual([
      'foo',
      'foo.running',
      'foo.running.left',
      'foo.running.left.b',
      'foo.running.right',
      'foo.running.right.c',
    ])
    expect(activePaths(toChart(definition, 'idle'))).toEqual(['foo', 'foo.idle'])
    expect(activePaths(toChart(definition, undefined))).toEqual(['foo'])
  })

  test('says what kind each state is and where a chart begins', () => {
    const chart = toChart(definition, 'idle')
    const kinds = ['foo', 'foo.idle', 'foo.running', 'foo.running.left', 'foo.finished'].map(
      (path) => find(chart, path)?.kind,
    )
    expect(kinds).toEqual(['compound', 'atomic', 'parallel', 'compound', 'final'])
    expect(chart.children.map(({key, isInitial}) => [key, isInitial])).toEqual([
      ['idle', true],
      ['running', false],
      ['finished', false],
    ])
    expect(find(chart, 'foo.running')?.children.every(({isInitial}) => isInitial)).toBe(true)
  })

  test('reads every way to write a transition', () => {
    const chart = toChart(definition, 'idle')
    expect(chart.transitions).toEqual([{event: 'foo.reset', eventType: 'foo.reset', targets: ['.idle'], ...plain}])
    expect(find(chart, 'foo.idle')).toEqual({
      key: 'idle',
      path: 'foo.idle',
      kind: 'atomic',
      isInitial: true,
      isActive: true,
      tags: [],
      invokes: [],
      entry: [],
      exit: [],
      children: [],
      description: 'Nothing runs.',
      transitions: [
        {
          event: 'foo.start',
          eventType: 'foo.start',
          targets: ['running'],
          guard: 'canStart',
          actions: ['note', 'count'],
        },
        {event: 'foo.ignore', eventType: 'foo.ignore', targets: [], ...plain},
      ],
    })
    expect(find(chart, 'foo.running')).toEqual({
      key: 'running',
      path: 'foo.running',
      kind: 'parallel',
      isInitial: false,
      isActive: false,
      description: undefined,
      children: [
        expect.objectContaining({path: 'foo.running.left'}),
        expect.objectContaining({path: 'foo.running.right'}),
      ],
      tags: ['busy'],
      invokes: ['loadData'],
      entry: ['begin'],
      exit: ['end'],
      transitions: [
        {event: 'after deadline', eventType: 'xstate.after.deadline.foo.running', targets: ['idle'], ...plain},
        {event: 'done load', eventType: 'xstate.done.actor.load', targets: ['finished'], ...plain},
        {event: 'error load', eventType: 'xstate.error.actor.load', targets: ['idle'], guard: 'isLost', actions: []},
        {event: 'error load', eventType: 'xstate.error.actor.load', targets: ['finished'], ...plain},
        {event: 'done', eventType: 'xstate.done.state.foo.running', targets: ['finished'], ...plain},
      ],
    })
    expect(find(chart, 'foo.running.left.a')?.transitions).toEqual([
      {event: 'always', eventType: '', targets: ['b'], guard: 'inline', actions: []},
    ])
  })

  test.each([
    ['no states', {id: 'foo', states: {}}],
    ['states that are none', {states: {a: 5, b: null, c: 'x'}}],
    [
      'nonsense everywhere',
      {
        id: 5,
        initial: [],
        on: 5,
        after: 'x',
        invoke: [5, {}],
        tags: {},
        states: {a: {on: {x: [null, 5, {target: 5}]}, always: [], entry: 5}},
      },
    ],
  ])('%s: a drawing, never an error', (_, strange) => {
    expect(toChart(strange, {a: {b: 5}}).kind).toMatch(/atomic|compound/)
  })

  test.each([
    ['conversation', conversationMachine],
    ['auth', authMachine],
  ])('draws the real %s chart, each leaf once, and its first state as active', (id, machine) => {
    const replacer = (_key: string, value: unknown) => (typeof value === 'function' ? {type: value.name} : value)
    const parsed = parseDefinition(JSON.stringify(machine.config, replacer))
    const initial = machine.config.initial as string // both name their first state
    const chart = toChart(parsed ?? {}, initial)
    const leaves = (node: ChartNode): string[] =>
      node.children.length === 0 ? [node.path] : node.children.flatMap(leaves)
    const expected = (node: AnyStateNode): string[] => {
      const children = Object.values(node.states)
      return children.length === 0 ? [[id, ...node.path].join('.')] : children.flatMap(expected)
    }
    expect(leaves(chart)).toEqual(expected(machine.root))
    expect(activePaths(chart)).toEqual([id, `${id}.${initial}`])
    expect(chart.children.filter(({isInitial}) => isInitial).map(({key}) => key)).toEqual([initial])
  })
})

test.each([[undefined], [''], ['{'], ['5'], ['{"id":"foo"}'], ['{"states":[]}']])('%j defines no machine', (text) => {
  expect(parseDefinition(text)).toBeUndefined()
})

test.each([
  ['idle', 'idle'],
  [{asking: 'pending'}, 'asking.pending'],
  [{a: {b: 'c', d: 'e'}}, 'a(b.c, d.e)'],
  [{a: {}, b: 'c'}, 'a, b.c'],
  [undefined, ''],
])('the value %j reads %s', (value, text) => {
  expect(valueText(value)).toBe(text)
})

describe('the story of the actors', () => {
  const base = {_version: '0', createdAt: '1000', id: '', rootId: 'r'}
  // as: what the store reads of the library's events
  const actor = (sessionId: string, parentId?: string) =>
    ({
      ...base,
      type: '@xstate.actor',
      sessionId,
      parentId,
      name: `name ${sessionId}`,
      definition: JSON.stringify(definition),
      snapshot: {status: 'active', value: 'idle', context: {a: 1}},
    }) as StatelyInspectionEvent
  const event = (sessionId: string, type: string) =>
    ({...base, type: '@xstate.event', sessionId, sourceId: 'x', event: {type}}) as StatelyInspectionEvent
  const snapshot = (sessionId: string, type: string, value: string, a: number) =>
    ({
      ...base,
      type: '@xstate.snapshot',
      sessionId,
      event: {type},
      snapshot: {status: 'active', value, context: {a}},
    }) as unknown as StatelyInspectionEvent
  const tell = (...events: StatelyInspectionEvent[]) => events.reduce(inspect, emptyInspection)

  test('an event and the snapshot after it are one entry', () => {
    const {log, actors} = tell(actor('a'), event('a', 'foo.start'), snapshot('a', 'foo.start', 'finished', 2))
    expect(log).toEqual([
      {
        sessionId: 'a',
        sourceId: 'x',
        type: 'foo.start',
        at: 1000,
        before: {value: 'idle', status: 'active', context: {a: 1}},
        after: {value: 'finished', context: {a: 2}, status: 'active'},
        id: 1,
        event: {type: 'foo.start'},
      },
    ])
    expect(actors.get('a')).toMatchObject({name: 'name a', events: 1, snapshot: {value: 'finished'}})
    expect(changedFields(log[0]?.before, log[0]?.after)).toEqual(['a'])
  })

  test('snapshots find their own event when actors talk across each other', () => {
    const {log} = tell(
      actor('a'),
      actor('b'),
      event('a', 'x'),
      event('b', 'x'),
      snapshot('b', 'x', 'running', 1),
      snapshot('a', 'x', 'finished', 1),
    )
    expect(log.map(({sessionId, after}) => [sessionId, after?.value])).toEqual([
      ['a', 'finished'],
      ['b', 'running'],
    ])
  })

  test('a snapshot without its event still moves the actor', () => {
    expect(tell(actor('a'), snapshot('a', 'x', 'finished', 3)).actors.get('a')?.snapshot).toEqual({
      value: 'finished',
      status: 'active',
      context: {a: 3},
    })
  })

  test('what comes from an actor nobody announced is kept, and breaks nothing', () => {
    const {log, actors} = tell(event('z', 'x'), snapshot('z', 'x', 'idle', 1))
    expect([log.length, actors.size]).toEqual([1, 0])
  })

  test('the log is bounded and can be emptied', () => {
    const inspection = tell(actor('a'), ...Array.from({length: 1200}, (_, at) => event('a', `e.${at}`)))
    expect([inspection.log.length, inspection.log[0]?.type]).toEqual([1000, 'e.200'])
    expect(clearLog(inspection)).toEqual({log: [], actors: inspection.actors, nextId: 1201})
  })

  test('actors stand under their parents, those without a known one at the top', () => {
    const names = (branches: ActorBranch[]): unknown[] =>
      branches.map((branch) => [branch.actor.sessionId, names(branch.children)])
    expect(
      names(actorTree(tell(actor('a'), actor('b', 'a'), actor('c', 'b'), actor('d', 'gone'), actor('e', 'a')))),
    ).toEqual([
      [
        'a',
        [
          ['b', [['c', []]]],
          ['e', []],
        ],
      ],
      ['d', []],
    ])
  })
})
