import {Subject} from 'rxjs'
import {createActor, fromEventObservable, fromPromise, setup, SimulatedClock, type AnyEventObject} from 'xstate'
import {taskPollMachine} from '#machines/task-poll/task-poll.machine.ts'
import type {EnvironmentInput} from '#machines/environment/environment.types.ts'
import type {
  LeadershipInput,
  PeerMessage,
  PollInput,
  PollOutput,
  TaskPollInput,
} from '#machines/task-poll/task-poll.types.ts'
import {ref} from './media-fixtures.ts'
import {startEnvironment} from './environment-fixture.ts'
import {nobody} from './nobody.ts'

export const input: TaskPollInput = {userId: 'u-1', ref, environment: startEnvironment(), parentRef: nobody}
export const report = {records: [], watched: ['a'], gone: [], isLost: false, nextIn: 3_000}

type Fakes = {poll?: (ids: string[], call: number) => Promise<PollOutput>}

/** A poller below a parent that collects its facts; the queue of tabs is in the hands of the test. */
export function start(fakes: Fakes = {}, watched: string[] = [], page: Partial<EnvironmentInput> = {}) {
  const environment = startEnvironment(page)
  const facts: AnyEventObject[] = []
  const asked: string[][] = []
  const peerMessages: PeerMessage[] = []
  const claims: boolean[] = []
  let line = new Subject<{type: 'leader.won'} | {type: 'leader.lost'}>()
  const machine = taskPollMachine.provide({
    actors: {
      leadership: fromEventObservable(({input: {isClaiming}}: {input: LeadershipInput}) => {
        claims.push(isClaiming)
        line = new Subject()
        return line
      }),
      pollTasks: fromPromise<PollOutput, PollInput>(({input: {ids}}) => {
        asked.push(ids)
        return fakes.poll?.(ids, asked.length) ?? Promise.resolve({records: [], missing: [], age: 1})
      }),
    },
    actions: {sendToPeers: (_, message) => void peerMessages.push(message)},
  })
  const clock = new SimulatedClock()
  const parent = setup({actors: {child: machine}}).createMachine({
    invoke: {id: 'child', src: 'child', input: ({self}) => ({...input, environment, parentRef: self})},
    on: {'*': {actions: ({event}) => void facts.push(event)}},
  })
  const root = createActor(parent, {clock}).start()
  const poll = root.getSnapshot().children.child
  if (poll === undefined) throw new Error('The child did not start')
  if (watched.length > 0) poll.send({type: 'tasks.watch', ids: watched})
  // settled promises reach the chart after a turn
  const turn = () => new Promise<void>((resolve) => setImmediate(resolve))
  const lead = async () => {
    line.next({type: 'leader.won'})
    await turn()
  }
  return {
    poll,
    environment,
    clock,
    facts,
    asked,
    peerMessages,
    claims,
    turn,
    lead,
    lose: () => line.next({type: 'leader.lost'}),
    breakLine: () => line.error(new Error('foo')),
  }
}
