import {expect, test} from 'vitest'
import {createThoughtClock} from '#server/ai/answers/thought-clock.ts'

/** Each piece comes 100 ms after the one before. */
function took(...pieces: string[]) {
  let at = 0
  const clock = createThoughtClock(() => new Date((at += 100)))
  for (const piece of pieces) clock.push(piece)
  return clock.took()
}

test.each([
  ['within pieces', ['<think>foo', ' bar</think>baz'], 100],
  ['over the edges of pieces', ['\n<thi', 'nk>foo', ' </th', 'ink>', 'baz</think>'], 100],
  ['in one piece', ['<think>foo</think>bar'], 100],
])('the time of a thought, %s', (_name, pieces, time) => {
  expect(took(...pieces)).toBe(time)
})

test.each([
  ['without one', ['foo <think>bar', '</think>']],
  ['that begins like one', ['<thing>', '<think>bar</think>']],
  ['whose thought was cut off', ['<think>foo']],
  ['that is empty', ['']],
])('an answer %s has none', (_name, pieces) => {
  expect(took(...pieces)).toBeUndefined()
})
