import {expect, test} from 'vitest'
import type {FlowEntry} from '#app/flow/flow-log.ts'
import {reportOf} from '#app/flow/flow-report.ts'

const steps = (count: number): FlowEntry[] =>
  Array.from({length: count}, (_, index) => ({
    at: index,
    actor: 'conversation/foo',
    state: index === count - 1 ? '{"failed":"refused"}' : '{"asking":"pending"}',
    event: `event ${index}`,
  }))
const reported = (count: number) => {
  // as: the report is an object with its steps
  const report = JSON.parse(reportOf(steps(count), {state: 'failed'})) as {state: string; steps: unknown[]}
  expect(report.state).toBe('failed')
  return report.steps
}

test('a report has all steps of an ordinary log', () => {
  expect(reported(300)).toHaveLength(300)
})

test('a report of a long log has its beginning and its end, and says how many steps are between', () => {
  const long = reported(420)
  expect(long).toHaveLength(301)
  expect(long[0]).toMatchObject({event: 'event 0', at: '1970-01-01T00:00:00.000Z'})
  expect(long[149]).toMatchObject({event: 'event 149'})
  expect(long[150]).toBe('… 120 more')
  expect(long[151]).toMatchObject({event: 'event 270'})
  expect(long.at(-1)).toMatchObject({event: 'event 419', state: 'failed.refused'})
})
