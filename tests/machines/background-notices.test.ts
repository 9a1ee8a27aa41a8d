import {describe, expect, test} from 'vitest'
import {initialTransition} from 'xstate'
import {
  backgroundNoticesMachine,
  type BackgroundNoticesEvent,
} from '#machines/background-notices/background-notices.machine.ts'
import type {EventFixtures} from './graph.ts'
import {describeRules} from './rules.ts'

const events = {
  'notices.turnOn': [{type: 'notices.turnOn'}],
  'notices.turnOff': [{type: 'notices.turnOff'}],
} satisfies EventFixtures<BackgroundNoticesEvent>

const quiet = backgroundNoticesMachine.provide({actions: {storeWish: () => undefined}})

describe('notifications in the background', () => {
  const {coverage, edges} = describeRules(quiet, {
    input: {permission: 'default', isWanted: false},
    inputs: [
      {permission: 'granted', isWanted: true},
      {permission: 'denied', isWanted: true},
    ],
    events: Object.values(events).flat(),
    outputs: {askPermission: ['granted', 'denied', 'default']},
  })
  test('every transition is taken', () => expect(coverage.missing(quiet)).toEqual([]))
  test('only turning them on asks the browser', () => {
    const asked = edges.filter(({state, nextState}) => !state.matches('asking') && nextState.matches('asking'))
    expect([...new Set(asked.map(({event}) => event.type))]).toEqual(['notices.turnOn'])
  })
  test('they are on only where the browser granted it', () => {
    const on = edges.filter(({state, nextState}) => !state.matches('on') && nextState.matches('on'))
    expect([...new Set(on.map(({event}) => 'output' in event && event.output))]).toEqual(['granted'])
    const starts = (['granted', 'denied', 'default'] as const).flatMap((permission) =>
      [true, false].map((isWanted) => ({permission, isWanted})),
    )
    const startsOn = starts.filter((input) => initialTransition(quiet, input)[0].matches('on'))
    expect(startsOn).toEqual([{permission: 'granted', isWanted: true}])
  })
})
