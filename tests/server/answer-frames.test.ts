import {expect, test} from 'vitest'
import {createFollowWriter, createFrameWriter} from '#server/ai/answers/answer-frames.ts'
import type {AnswerRow} from '#server/ai/answers/answer-store.ts'

const [id, message] = ['0197-conversation', '0197-message']
// as: the writers read these columns alone
const answer = {conversationId: id, messageId: message, attempt: 2, provider: 'foo'} as AnswerRow

const texts = ['a', ' "quoted" \\', '\n\ndata: [DONE]\n\n', '\u2028\u2029\u0001', '日本 😀', '']
const deltas = texts.map((text, index) => ({seq: index + 7, text}))

test('deltas of an event stream are whole JSON objects, to the byte', () => {
  const {deltas: write} = createFrameWriter('event-stream', answer, 6, '')
  expect(write(deltas)).toBe(
    deltas.map(({seq, text}) => `id: ${seq}\ndata: ${JSON.stringify({id, delta_answer: text})}\n\n`).join(''),
  )
})

test('a step of ndjson is one line with the answer so far, however many deltas it has', () => {
  const before = 'x'.repeat(80_000)
  const {deltas: write, end} = createFrameWriter('ndjson', answer, 16_000, before)
  const step = Array.from({length: 4_000}, (_, index) => ({seq: 16_001 + index, text: 'fünf '}))
  const text = 'fünf '.repeat(4_000)
  expect(write(step)).toBe(`${JSON.stringify({id, answer: before + text, delta_answer: text})}\n`)
  expect(write(deltas)).toBe(
    `${JSON.stringify({id, answer: before + text + texts.join(''), delta_answer: texts.join('')})}\n`,
  )
  expect(JSON.parse(end({state: 'finished'}))).toMatchObject({answer: before + text + texts.join(''), delta_answer: ''})
})

test.each([
  ['event-stream', 'data: ', '\n\n'],
  ['ndjson', '', '\n'],
] as const)('deltas of many answers in one stream are whole JSON objects: %s', (form, before, after) => {
  const write = createFollowWriter(form, (failure) => failure)
  const other = {...answer, messageId: '0197-other'}
  for (const one of [answer, other, answer])
    expect(write({answer: one, lastSeq: 12, step: {deltas}})).toBe(
      deltas
        .map(({seq, text}) => {
          const frame = {id, message: one.messageId, attempt: 2, seq, delta_answer: text}
          return before + JSON.stringify(frame) + after
        })
        .join(''),
    )
})
