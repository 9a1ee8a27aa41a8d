import {expect, test} from 'vitest'
import {createLog} from '#server/log.ts'
import {createLoadWatch} from '#server/work/watch-load.ts'

const load = {answers: 300, tasks: 4, streams: 310}
const busy = {time: expect.any(String), level: 'warn', message: 'this node is busy', ...load}
const overdue = {time: expect.any(String), level: 'warn', message: 'text of answers is stored late', ...load}

test.each([
  [0.2, 90, []],
  [0.7, 1_000, []],
  [0.71, 90, [{...busy, percent: 71, textMilliseconds: 90}]],
  [0.2, 1_001, [{...overdue, percent: 20, textMilliseconds: 1_001}]],
  [1, 4_000, [busy, overdue].map((line) => ({...line, percent: 100, textMilliseconds: 4_000}))],
])('a process that worked %d of a minute says what it has to do, if that is much', (share, textMilliseconds, lines) => {
  const said: unknown[] = []
  const watch = createLoadWatch({
    log: createLog((line) => said.push(JSON.parse(line))),
    loadOf: () => ({...load, textMilliseconds}),
    busy: () => share,
  })
  watch()
  expect(said).toEqual(lines)
})

test('it measures by itself what this process works, since it looked last', () => {
  const said: unknown[] = []
  const watch = createLoadWatch({
    log: createLog((line) => said.push(JSON.parse(line))),
    loadOf: () => ({answers: 0, tasks: 0, streams: 0, textMilliseconds: 0}),
  })
  const end = performance.now() + 50
  while (performance.now() < end);
  watch()
  expect(said).toEqual([
    {
      message: 'this node is busy',
      percent: expect.closeTo(100, -1),
      time: expect.any(String),
      level: 'warn',
      answers: 0,
      tasks: 0,
      streams: expect.any(Number),
      textMilliseconds: expect.any(Number),
    },
  ])
})
