import {Subject} from 'rxjs'
import {describe, expect, test} from 'vitest'
import {createActor, fromEventObservable, setup} from 'xstate'
import {
  environmentChanges,
  environmentInvoke,
  environmentMachine,
  type EnvironmentActor,
} from '#machines/environment/environment.machine.ts'
import {selectIsOnline, selectIsVisible} from '#machines/environment/environment.selectors.ts'
import type {EnvironmentEvent, EnvironmentInput} from '#machines/environment/environment.types.ts'
import {startEnvironment} from './environment-fixture.ts'
import type {EventFixtures} from './graph.ts'
import {describeRules} from './rules.ts'

const events = {
  'connection.lost': [{type: 'connection.lost'}],
  'connection.restored': [{type: 'connection.restored'}],
  'page.hidden': [{type: 'page.hidden'}],
  'page.shown': [{type: 'page.shown'}],
  'page.leaving': [{type: 'page.leaving'}],
} satisfies EventFixtures<EnvironmentEvent>
const values = [true, false]
const inputs: EnvironmentInput[] = values.flatMap((isOnline) => values.map((isVisible) => ({isOnline, isVisible})))

describe('environment', () => {
  const {states, coverage} = describeRules(environmentMachine, {
    input: {isOnline: true, isVisible: true},
    inputs,
    events: Object.values(events).flat(),
    endless: ['pageEvents'],
    key: ({context}) => context,
  })

  test('every transition is taken', () => expect(coverage.missing(environmentMachine)).toEqual([]))

  test('nothing is undecided: every state says whether the page is online and visible', () => {
    const words = new Set(states.map(({value}) => JSON.stringify(value)))
    expect([...words].sort()).toEqual([
      '{"network":"offline","page":"hidden"}',
      '{"network":"offline","page":"visible"}',
      '{"network":"online","page":"hidden"}',
      '{"network":"online","page":"visible"}',
    ])
  })

  test.each(inputs)('starts with what the browser says: %o', (input) => {
    const snapshot = startEnvironment(input).getSnapshot()
    expect({isOnline: selectIsOnline(snapshot), isVisible: selectIsVisible(snapshot)}).toEqual(input)
  })

  test('a subscriber hears each change once, and every leaving, when the snapshot has it', () => {
    const environment = startEnvironment()
    const heard: unknown[] = []
    environment.on('*', ({type}) => heard.push([type, selectIsOnline(environment.getSnapshot())]))
    for (const event of Object.values(events).flat()) environment.send(event)
    environment.send({type: 'connection.restored'})
    environment.send({type: 'page.leaving'})
    expect(heard).toEqual([
      ['connection.lost', false],
      ['connection.restored', true],
      ['page.hidden', true],
      ['page.shown', true],
      ['page.leaving', true],
      ['page.leaving', true],
    ])
  })

  test('a machine with the ref is sent each change until it ends', () => {
    const environment = startEnvironment()
    const heard: string[] = []
    const listener = createActor(
      setup({
        types: {
          input: {} as {environment: EnvironmentActor},
          context: {} as {environment: EnvironmentActor},
          events: {} as EnvironmentEvent,
        },
        actors: {environmentChanges},
        actions: {hear: (_, {type}: EnvironmentEvent) => heard.push(type)},
      }).createMachine({
        context: ({input}) => input,
        invoke: environmentInvoke,
        on: {'*': {actions: [{type: 'hear', params: ({event}) => event}]}},
      }),
      {input: {environment}},
    ).start()
    environment.send({type: 'page.hidden'})
    listener.stop()
    environment.send({type: 'page.shown'})
    expect(heard).toEqual(['page.hidden'])
  })

  test('browser events that break are logged; the last values hold', () => {
    const pageEvents = new Subject<EnvironmentEvent>()
    const logged: unknown[] = []
    const environment = createActor(
      environmentMachine.provide({
        actors: {pageEvents: fromEventObservable<EnvironmentEvent, undefined>(() => pageEvents)},
        actions: {logDeafness: (_, {error}) => logged.push(error)},
      }),
      {input: {isOnline: true, isVisible: true}},
    ).start()
    pageEvents.next({type: 'connection.lost'})
    pageEvents.error('foo')
    expect(logged).toEqual(['foo'])
    expect(environment.getSnapshot().value).toEqual({network: 'offline', page: 'visible'})
  })
})
