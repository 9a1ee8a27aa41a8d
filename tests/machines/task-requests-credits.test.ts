import {expect, test} from 'vitest'
import {buyingTime} from '#domain/conversation.ts'
import {intent} from './media-fixtures.ts'
import {startTaskList} from './start-task-list.ts'

/* Requests that were refused, mostly for lack of credits, and what sends them again. */

test.each(['rejected', 'usedUp'] as const)(
  'a %s request of last time is not sent before the user says so',
  async (state) => {
    const sent: string[] = []
    const refusal = {code: 'used_up', detail: 'foo', status: 403}
    const run = startTaskList({
      cached: {records: [], total: 0, intents: [{...intent('k'), state, failure: refusal}]},
      post: async ({key}) => {
        sent.push(key)
        return {task: 't-1'}
      },
    })
    await run.turn()
    expect([sent, run.pending()]).toEqual([[], [{...intent('k'), state, failure: refusal}]])
    run.submission('k')?.send({type: 'submission.retry'})
    await run.turn()
    expect([sent, run.ids(), run.forgotten]).toEqual([['k'], ['t-1'], ['k']])
  },
)

test('bought credits send nothing of an earlier visit', async () => {
  const intents = [{...intent('k'), state: 'usedUp' as const}]
  const run = startTaskList({cached: {records: [], total: 0, intents, now: 100 + buyingTime}})
  await run.turn()
  run.requests.send({type: 'credits.added', at: 1, left: 1})
  await run.turn()
  expect([run.ids(), run.pending().map(({state}) => state)]).toEqual([[], ['usedUp']])
})

test('a request that was refused while its order can still be paid goes on: credits are bought on another page', async () => {
  const refused = {...intent('k'), state: 'usedUp' as const}
  const sentAgain = {...refused, key: 'l', at: 100, sentAt: 3_000}
  const other = {...refused, key: 'm', state: 'rejected' as const}
  const run = startTaskList({
    cached: {records: [], total: 0, intents: [refused, sentAgain, other], now: 99 + buyingTime},
  })
  await run.turn()
  run.requests.send({type: 'credits.added', at: 1, left: 1})
  await run.turn()
  expect([run.forgotten, run.pending().map(({key}) => key)]).toEqual([['k', 'l'], ['m']])
})

test('credits that were read before the stored requests send those on that were refused lately', async () => {
  const refused = {...intent('k'), state: 'usedUp' as const}
  const rejected = {...refused, key: 'l', state: 'rejected' as const}
  const run = startTaskList({cached: {records: [], total: 0, intents: [refused, rejected], now: 200}})
  run.requests.send({type: 'credits.added', at: 1, left: 1})
  await run.turn()
  expect([run.forgotten, run.pending().map(({key}) => key)]).toEqual([['k'], ['l']])
})

test('a page that opens with a request that waits for credits looks for them', async () => {
  const run = startTaskList({cached: {records: [], total: 0, intents: [{...intent('k'), state: 'usedUp'}]}})
  run.requests.send({type: 'credits.look'})
  expect(run.named('balance.check')).toEqual([])
  await run.turn()
  run.requests.send({type: 'credits.look'})
  expect(run.named('balance.check')).toHaveLength(1)
})

test('used up keeps the request; bought credits send it again', async () => {
  let credits = 0
  const run = startTaskList({
    post: async () => {
      if (credits === 0) throw Object.assign(new Error('foo'), {status: 403, code: 'used_up', detail: 'foo'})
      return {task: 't-1'}
    },
  })
  run.requests.send({type: 'task.submit', intent: intent('k')})
  await run.turn()
  expect(run.pending().map(({state}) => state)).toEqual(['usedUp'])
  expect(run.forgotten).toEqual([])
  credits = 1
  run.requests.send({type: 'credits.added', at: 1, left: 1})
  await run.turn()
  expect([run.ids(), run.forgotten]).toEqual([['t-1'], ['k']])
})

test('what was refused last time goes on with what its list says, once that covers it', async () => {
  const failure = {code: 'used_up', detail: 'foo', needed: '0.3', available: '0.000000'}
  const intents = [{...intent('k'), state: 'usedUp' as const, failure}]
  const run = startTaskList({cached: {records: [], total: 0, intents, now: 200}})
  run.requests.send({type: 'credits.listed', at: 200, left: 0.299})
  await run.turn()
  expect(run.pending().map(({state}) => state)).toEqual(['usedUp'])
  run.requests.send({type: 'credits.listed', at: 201, left: 0.3})
  await run.turn()
  expect([run.forgotten, run.pending()]).toEqual([['k'], []])
})
