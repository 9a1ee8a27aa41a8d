import {describe, expect, test} from 'vitest'
import {createActor, fromPromise, SimulatedClock} from 'xstate'
import type {Site} from '#contract/management.ts'
import {selectIsEditor, siteAccessMachine, type SiteAccessEvent} from '#machines/site-access/site-access.machine.ts'
import type {EventFixtures} from './graph.ts'
import {describeRules} from './rules.ts'

const input = {origin: 'https://foo.example', userId: 'foo'}
const edited = {id: 'site', editable: true} satisfies Site
const foreign = {id: 'site', admins: ['bar']} satisfies Site
const events = {'access.look': [{type: 'access.look'}]} satisfies EventFixtures<SiteAccessEvent>

/** Each reading is answered by the test. */
function open() {
  const readings: {answer: (site: Site | undefined) => void; fail: () => void}[] = []
  const clock = new SimulatedClock()
  const machine = siteAccessMachine.provide({
    actors: {
      readSite: fromPromise<Site | undefined, {origin: string}>(
        () =>
          new Promise((resolve, reject) =>
            readings.push({answer: resolve, fail: () => reject(new Error('no network'))}),
          ),
      ),
    },
  })
  const actor = createActor(machine, {input, clock}).start()
  const turn = () => new Promise((resolve) => setTimeout(resolve))
  const last = () => readings.at(-1) ?? expect.fail('nothing is read')
  return {
    actor,
    clock,
    readings,
    isEditor: () => selectIsEditor(actor.getSnapshot()),
    answer: (site: Site | undefined) => (last().answer(site), turn()),
    fail: () => (last().fail(), turn()),
    look: () => actor.send({type: 'access.look'}),
  }
}

describe('who may edit the site', () => {
  const {coverage, states} = describeRules(siteAccessMachine, {
    input,
    user: ['access.look'],
    events: events['access.look'],
    outputs: {readSite: [edited, foreign, undefined], rereadSite: [edited, foreign, undefined]},
    key: () => [],
  })
  test('every transition is taken', () => expect(coverage.missing(siteAccessMachine)).toEqual([]))
  test('nobody is an editor before an answer, and a menu waits for the first one alone', () => {
    const undecided = states.filter((state) => state.hasTag('undecided'))
    expect(undecided.map(({value}) => value)).toEqual([{reader: {asking: 'early'}}])
    expect(undecided.some(selectIsEditor)).toBe(false)
  })
})

test('the server says it: by its admins, or because the caller is an operator', async () => {
  for (const site of [edited, {...foreign, admins: ['foo']}]) {
    const {isEditor, answer} = open()
    expect(isEditor()).toBe(false)
    await answer(site)
    expect(isEditor()).toBe(true)
  }
  for (const site of [foreign, undefined]) {
    const {isEditor, answer} = open()
    await answer(site)
    expect(isEditor()).toBe(false)
  }
})

test('what was found stays while it is asked again, and where no answer comes', async () => {
  const {actor, clock, readings, isEditor, answer, fail, look} = open()
  look()
  expect(readings).toHaveLength(1)
  await answer(edited)
  look()
  expect([readings.length, isEditor()]).toEqual([2, true])
  await fail()
  expect(isEditor()).toBe(true)
  look()
  clock.increment(20_000)
  expect(actor.getSnapshot().value).toEqual({editor: 'resting'})
  look()
  await answer(foreign)
  expect(isEditor()).toBe(false)
  look()
  await answer(edited)
  expect([readings.length, isEditor()]).toEqual([5, true])
})

test('a slow answer holds no menu, and counts when it comes', async () => {
  const {actor, clock, isEditor, answer} = open()
  clock.increment(600)
  expect(actor.getSnapshot().hasTag('undecided')).toBe(false)
  await answer(edited)
  expect(isEditor()).toBe(true)
})
