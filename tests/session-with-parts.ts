import {createActor, fromPromise} from 'xstate'
import {partLogic} from '#app/logic/part-choices.ts'
import {sessionMachine} from '#machines/session/session.machine.ts'
import type {StoredSession} from '#machines/session/session.types.ts'
import {startEnvironment} from './machines/environment-fixture.ts'

/** A session that starts parts. `broken`: the names of those that broke. */
export function startSession() {
  const broken: unknown[] = []
  const machine = sessionMachine.provide({
    actors: {
      readStored: fromPromise<StoredSession, {userId: string}>(async () => ({conversations: [], tools: []})),
      part: partLogic,
    },
    actions: {logCrash: (_, {child}) => void broken.push(child), logUnread: () => {}},
  })
  const input = {user: {id: 'u-1'}, epoch: 1, host: 'https://foo.test', environment: startEnvironment()}
  const session = createActor(machine, {input, systemId: 'session'}).start()
  return {session, broken}
}
