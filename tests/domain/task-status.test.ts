import {describe, expect, test} from 'vitest'
import type {AnswerReading} from '#contract/media/media-tool.ts'
import type {Task} from '#contract/task.ts'
import {failureOf, taskStatus, type TaskStatus} from '#domain/task-status.ts'

const url = 'https://files.test/a.mp4'
const none: AnswerReading = {artifacts: []}
const one: AnswerReading = {artifacts: [{medium: 'video', url}]}
const half: AnswerReading = {
  artifacts: [
    {medium: 'audio', url},
    {medium: 'audio', id: 'b'},
  ],
}
const task = (parts: Partial<Task>): Task => ({id: 'foo', created_at: 1, ...parts})
const answered = (response: Record<string, unknown>, parts: Partial<Task> = {}) => task({...parts, response})

const table: [what: string, task: Task, reading: AnswerReading, status: TaskStatus][] = [
  ['just sent', task({}), none, 'queued'],
  ['null for no answer', task({response: null}), none, 'queued'],
  ['begun, no answer', task({started_at: 2}), none, 'running'],
  ['over without an answer', task({started_at: 2, finished_at: 3}), none, 'checking'],
  ['an answer that says nothing', answered({task_id: 'foo'}), none, 'running'],
  ['success with its result', answered({success: true}), one, 'succeeded'],
  ['success without a result', answered({success: true}), none, 'checking'],
  ['success with half of the results', answered({success: true}), half, 'checking'],
  ['success of a text', answered({success: true}), {artifacts: [{medium: 'text', text: 'la'}]}, 'succeeded'],
  ['failure', answered({success: false, error: {code: 'forbidden', message: 'no'}}), none, 'failed'],
  ['failure without a reason', answered({success: false}), none, 'failed'],
  ['failure that is under way', answered({success: false}), {...none, state: 'processing'}, 'checking'],
  ['an error beside success', answered({success: true, error: {code: 'api_error'}}), one, 'failed'],
  ['an empty error', answered({success: true, error: {}}), one, 'succeeded'],
  ['a result and no word on it', answered({}), one, 'checking'],
  ['a result of a finished task', answered({}, {finished_at: 3}), one, 'succeeded'],
  ['nothing of a finished task', answered({}, {finished_at: 3}), none, 'checking'],
  ['half way', answered({success: true}), {...one, progress: 40}, 'running'],
  ['progress at its end, with the result', answered({}), {...one, progress: 100}, 'succeeded'],
  ['progress at its end, without', answered({success: true}), {...none, progress: 100}, 'checking'],
  ...['pending', 'submitted', 'QUEUED'].map((state): [string, Task, AnswerReading, TaskStatus] => [
    state,
    answered({success: true}),
    {...one, state},
    'queued',
  ]),
  ...['processing', 'running', 'in_progress'].map((state): [string, Task, AnswerReading, TaskStatus] => [
    state,
    answered({success: true}),
    {...one, state},
    'running',
  ]),
  ...['succeed', 'succeeded', 'success', 'complete', 'completed', 'finished'].flatMap(
    (state): [string, Task, AnswerReading, TaskStatus][] => [
      [state, answered({}), {...one, state}, 'succeeded'],
      [`${state} without a result`, answered({}), {...none, state}, 'checking'],
    ],
  ),
  ...['failed', 'failure', 'error', 'cancelled', 'canceled', 'rejected'].map(
    (state): [string, Task, AnswerReading, TaskStatus] => [state, answered({success: true}), {...one, state}, 'failed'],
  ),
  ['a word nobody knows', answered({success: true}), {...one, state: 'dreaming'}, 'checking'],
]
test.each(table)('%s', (_what, given, reading, status) => {
  expect(taskStatus(given, reading)).toBe(status)
})

test('no word and no answer is success without a result', () => {
  for (const [, , reading, status] of table)
    if (status === 'succeeded')
      expect(reading.artifacts.every(({url: file, text}) => (file ?? text) !== undefined)).toBe(true)
})

describe('why it failed', () => {
  test('in the server’s words', () => {
    const failed = answered({success: false, error: {code: 'forbidden', message: 'content refused'}, trace_id: 'tr'})
    expect(failureOf(failed)).toEqual({code: 'forbidden', detail: 'content refused', traceId: 'tr'})
  })
  test('without words, with the trace of the task', () => {
    expect(failureOf(answered({state: 'failed'}, {trace_id: 'own'}))).toEqual({
      code: 'api_error',
      detail: '',
      traceId: 'own',
    })
    expect(failureOf(task({}))).toEqual({code: 'api_error', detail: ''})
  })
})
