import {describe, expect, test} from 'vitest'
import {createActor, fromPromise, SimulatedClock, waitFor} from 'xstate'
import {selectLink, shortLinkMachine, type ShortLinkEvent} from '#machines/short-link/short-link.machine.ts'
import {startEnvironment} from './environment-fixture.ts'
import type {EventFixtures} from './graph.ts'
import {describeRules} from './rules.ts'

const address = 'https://foo.example/?inviter_id=bar'
const short = 'https://foo.example/s/baz'
const input = {address, environment: startEnvironment()}
const events = {
  'link.shorten': [{type: 'link.shorten'}],
  'connection.restored': [{type: 'connection.restored'}],
} satisfies EventFixtures<ShortLinkEvent>

/** A link whose short form the test gives, one attempt after the other. */
const open = (answers: (() => Promise<string>)[]) => {
  const clock = new SimulatedClock()
  const actor = createActor(
    shortLinkMachine.provide({
      actors: {
        shortenLink: fromPromise<string, {address: string}>(
          () => answers.shift()?.() ?? Promise.reject(new Error('one call too many')),
        ),
      },
    }),
    {input, clock},
  ).start()
  return {actor, clock}
}

describe('a short link', () => {
  const {coverage, states} = describeRules(shortLinkMachine, {
    input,
    user: ['link.shorten'],
    events: Object.values(events).flat(),
    endless: ['environmentChanges'],
    outputs: {shortenLink: [short]},
  })
  test('every transition is taken', () => expect(coverage.missing(shortLinkMachine)).toEqual([]))
  test('there is a link to copy in every state', () => {
    expect(new Set(states.map(selectLink))).toEqual(new Set([address, short]))
  })
})

test('the long link stands in until a later attempt succeeds', async () => {
  const {actor} = open([() => Promise.reject(new TypeError('Failed to fetch')), async () => short])
  expect(selectLink(await waitFor(actor, (snapshot) => snapshot.matches('long')))).toBe(address)
  actor.send({type: 'link.shorten'})
  expect(selectLink(await waitFor(actor, (snapshot) => snapshot.matches('short')))).toBe(short)
})

test('nobody waits for a short link that does not come', () => {
  const {actor, clock} = open([() => new Promise(() => {})])
  clock.increment(5_000)
  expect(actor.getSnapshot().value).toBe('long')
})
