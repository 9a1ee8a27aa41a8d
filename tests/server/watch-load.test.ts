import {expect, test} from 'vitest'
import {createLog} from '#server/log.ts'
import {createLoadWatch} from '#server/work/watch-load.ts'

test.each([
  [0.2, []],
  [0.7, []],
  [0.71, [{level: 'warn', message: 'this node is busy', percent: 71, answers: 300, tasks: 4, streams: 310}]],
  [1, [{level: 'warn', message: 'this node is busy', percent: 100, answers: 300, tasks: 4, streams: 310}]],
])('a process that worked %d of a minute says what it has to do, if that is much', (share, lines) => {
  const said: unknown[] = []
  const watch = createLoadWatch({
    log: createLog((line) => said.push(JSON.parse(line))),
    loadOf: () => ({answers: 300, tasks: 4, streams: 310}),
    busy: () => share,
  })
  watch()
  expect(said).toMatchObject(lines)
  expect(said).toHaveLength(lines.length)
})

test('it measures by itself what this process works, since it looked last', () => {
  const said: unknown[] = []
  const watch = createLoadWatch({
    log: createLog((line) => said.push(JSON.parse(line))),
    loadOf: () => ({answers: 0, tasks: 0, streams: 0}),
  })
  const end = performance.now() + 50
  while (performance.now() < end);
  watch()
  expect(said).toMatchObject([{message: 'this node is busy', percent: expect.closeTo(100, -1)}])
})
