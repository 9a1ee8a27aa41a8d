import {expect, test} from 'vitest'
import {createMachine} from 'xstate'
import {openPart} from '#app/logic/open-part.ts'
import {startSession} from './session-with-parts.ts'

/** A part that ends or breaks on demand. */
const partMachine = createMachine({
  types: {} as {input: {name: string}; context: {name: string}; events: {type: 'foo.break'} | {type: 'foo.end'}},
  context: ({input}) => input,
  initial: 'working',
  states: {working: {}, over: {type: 'final'}},
  on: {
    'foo.end': {target: '.over'},
    'foo.break': {
      actions: () => {
        throw new Error('foo')
      },
    },
  },
})

const choose = (name: string) => () => ({machine: partMachine, input: {name}})

test('a part is a child under its name, started once, and ends with its owner', () => {
  const {session} = startSession()
  const part = openPart(session.system, 'siteAccess', choose('first')) ?? expect.fail('It did not start')
  expect(openPart(session.system, 'siteAccess', choose('second'))).toBe(part)
  expect(part.getSnapshot().context).toEqual({name: 'first'})
  expect(session.getSnapshot().children.siteAccess).toBe(part)
  session.stop()
  expect(part.getSnapshot().status).toBe('stopped')
})

test('one that breaks is logged, leaves its owner alone, and is started again by its next use', () => {
  const {session, broken} = startSession()
  const part = openPart(session.system, 'siteAccess', choose('first'))
  part?.send({type: 'foo.break'})
  expect([broken, session.getSnapshot().status]).toEqual([['siteAccess'], 'active'])
  const next = openPart(session.system, 'siteAccess', choose('second'))
  expect(next?.getSnapshot()).toMatchObject({status: 'active', context: {name: 'second'}})
  session.stop()
})

test('one that has ended is let go, and comes again', () => {
  const {session} = startSession()
  const part = openPart(session.system, 'siteAccess', choose('first'))
  part?.send({type: 'foo.end'})
  expect([part?.getSnapshot().status, session.getSnapshot().children.siteAccess]).toEqual(['done', undefined])
  expect(openPart(session.system, 'siteAccess', choose('second'))?.getSnapshot().context).toEqual({name: 'second'})
  session.stop()
})
