import {describe, expect, test} from 'vitest'
import {selectFormRequest} from '#machines/task-requests/task-requests.selectors.ts'
import {fromForm} from '#machines/task-requests/task-requests.types.ts'
import {intent} from './media-fixtures.ts'
import {startTaskList} from './start-task-list.ts'

describe('requests of the form', () => {
  const submit = (run: ReturnType<typeof startTaskList>, key: string, prompt = 'same') =>
    run.requests.send({type: 'task.submit', from: fromForm, intent: {...intent(prompt), key}})
  const shown = (run: ReturnType<typeof startTaskList>) => selectFormRequest(run.requests.getSnapshot())
  const refusal = Object.assign(new Error('foo'), {status: 403, code: 'used_up', detail: 'foo'})

  test('a double click is one request, also right after its answer; a second later the same form makes another', async () => {
    const run = startTaskList()
    submit(run, 'k-1')
    submit(run, 'k-2')
    expect(shown(run)).toEqual({
      key: 'k-1',
      tool: 'foo',
      submission: {operation: 'make', body: {prompt: 'same'}},
      at: 100,
      state: 'sending',
    })
    await run.turn()
    submit(run, 'k-3')
    await run.turn()
    expect([run.ids(), shown(run)]).toEqual([['task of k-1'], undefined])
    run.clock.increment(1_000)
    submit(run, 'k-4')
    await run.turn()
    expect(run.ids()).toEqual(['task of k-1', 'task of k-4'])
  })

  test('other values right after a request was taken are another request; the same ones are not', async () => {
    const run = startTaskList()
    submit(run, 'k-1', 'bar')
    await run.turn()
    submit(run, 'k-2', 'baz')
    await run.turn()
    submit(run, 'k-3', 'baz')
    await run.turn()
    expect(run.ids()).toEqual(['task of k-1', 'task of k-2'])
  })

  test('a refused request that is not changed is the same request with the same key', async () => {
    const sent: string[] = []
    const run = startTaskList({
      post: async ({key}) => {
        sent.push(key)
        if (sent.length === 1) throw refusal
        return {task: 't-1'}
      },
    })
    submit(run, 'k-1')
    await run.turn()
    expect(shown(run)).toEqual({
      key: 'k-1',
      tool: 'foo',
      submission: {operation: 'make', body: {prompt: 'same'}},
      at: 100,
      state: 'usedUp',
      failure: {code: 'used_up', detail: 'foo', status: 403},
    })
    submit(run, 'k-2')
    await run.turn()
    expect([sent, run.ids(), shown(run)]).toEqual([['k-1', 'k-1'], ['t-1'], undefined])
  })

  test('a refused request that is changed is another one; the old is put aside', async () => {
    const run = startTaskList({
      post: async ({key}) => {
        if (key === 'k-1') throw refusal
        return {task: `task of ${key}`}
      },
    })
    submit(run, 'k-1', 'bar')
    await run.turn()
    submit(run, 'k-2', 'baz')
    expect(run.pending().map(({key}) => key)).toEqual(['k-2'])
    await run.turn()
    expect([run.ids(), run.forgotten]).toEqual([['task of k-2'], ['k-1', 'k-2']])
  })

  test('a request without a network leaves the form with the next one, and the form tells nothing of it any more', async () => {
    const run = startTaskList({post: () => Promise.reject(refusal)}, 'ready', false)
    submit(run, 'k-1', 'bar')
    submit(run, 'k-2', 'baz')
    run.submission('k-2')?.send({type: 'submission.discard'})
    run.environment.send({type: 'connection.restored'})
    await run.turn()
    expect([shown(run), run.pending().map(({key, state}) => [key, state])]).toEqual([undefined, [['k-1', 'usedUp']]])
  })

  test('while an answer takes long the form makes more of the same; the button of a card does not', async () => {
    const run = startTaskList({
      preparation: {repeats: false, isHeld: true, isOld: false},
      post: () => new Promise(() => undefined),
    })
    const press = (key: string) => run.requests.send({type: 'task.submit', from: 'card', intent: {...intent('l'), key}})
    submit(run, 'k-1')
    press('l-1')
    await run.turn()
    run.clock.increment(6_000)
    expect(run.pending().map(({state}) => state)).toEqual(['looking', 'looking'])
    submit(run, 'k-2')
    press('l-2')
    expect(run.pending().map(({key}) => key)).toEqual(['k-1', 'l-1', 'k-2'])
  })
})
