import {expect, test, vi} from 'vitest'
import {createGenerationReader, type GenerationAnswer} from '#api/generation-answer.ts'
import {ApiError} from '#api/api-error.ts'
import {readAtEveryCut, utf8} from './cuts.ts'

type Result = GenerationAnswer | {code: string; detail: string; traceId: string | undefined} | 'nothing'

const readAll = (chunks: Uint8Array[]): Result => {
  const reader = createGenerationReader(vi.fn())
  try {
    for (const chunk of chunks) {
      const answer = reader.push(chunk)
      if (answer !== undefined) return answer
    }
    return reader.end() ?? 'nothing'
  } catch (reason) {
    if (!(reason instanceof ApiError)) throw reason
    const {code, detail, traceId} = reason
    return {code, detail, traceId}
  }
}

const named = {task_id: 't', data: [{task_id: 'x'}]}

const samples: [name: string, body: string, result: Result][] = [
  ['a line names the task', '{"p":1}\n{"task_id":"t"}\n{"task_id":"u"}', {task: 't', response: {task_id: 't'}}],
  [
    'an error line',
    '{"p":1}\n{"error":{"code":"busy","message":"漢"},"trace_id":"r"}\n',
    {code: 'busy', detail: '漢', traceId: 'r'},
  ],
  ['an error line that is a text', '{"error":"foo"}', {code: 'api_error', detail: 'foo', traceId: undefined}],
  [
    'a task that failed is a task',
    '{"task_id":"t","error":{"code":"busy"}}\n',
    {task: 't', response: {task_id: 't', error: {code: 'busy'}}},
  ],
  ['a list of one task', '[{"task_id":"t"}]\n', {task: 't', response: {task_id: 't'}}],
  ['an error in the older form', '{"code":"busy","detail":"foo"}\n', {code: 'busy', detail: 'foo', traceId: undefined}],
  [
    'a line that says it failed',
    '{"success":false,"message":"foo"}\n',
    {code: 'api_error', detail: 'foo', traceId: undefined},
  ],
  [
    'a line of type error',
    '{"type":"error","message":"foo"}\n',
    {code: 'api_error', detail: 'foo', traceId: undefined},
  ],
  ['an error that is none', '{"error":false,"x":1}\n', {task: undefined, response: {error: false, x: 1}}],
  ['one document over several lines', JSON.stringify(named, undefined, 1), {task: 't', response: named}],
  [
    'an error over several lines',
    JSON.stringify({error: {code: 'busy', message: 'foo'}}, undefined, 1),
    {code: 'busy', detail: 'foo', traceId: undefined},
  ],
  ['no line of words is JSON', 'foo\nbar', 'nothing'],
  ['words before the line that names the task', 'foo\n{"task_id":"t"}', {task: 't', response: {task_id: 't'}}],
  ['a broken first line', '{"task_id"\n{"task_id":"t"}\n', {task: 't', response: {task_id: 't'}}],
  ['cut off', '{\n "task_id": "t",\n', 'nothing'],
]

test.each(samples)('%s, at every one and two cuts', (_, body, result) => {
  expect(readAtEveryCut(utf8(body), readAll)).toEqual([result])
})
