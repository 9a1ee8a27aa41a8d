import {expect, test} from 'vitest'
import {closeTail} from '#features/chat/markdown/repair-tail.ts'

test.each([
  ['Here is **bold', 'Here is **bold**'],
  ['A [link **bo', 'A [link **bo**'],
  ['a[i is **bo', 'a[i is **bo**'],
  ['![a **b', '![a **b**'],
  ['\\(x and **bo', '\\(x and **bo**'],
  ['$x and **bo', '$x and **bo**'],
  ['a [whole](https://foo.test) and **bo', 'a [whole](https://foo.test) and **bo**'],
])('a text that broke off has no open marker: %s', (raw, closed) => {
  expect(closeTail(raw)).toBe(closed)
})

test('the end of a very long paragraph is closed as well', () => {
  const long = 'word '.repeat(3_000)
  expect(closeTail(`${long}and **bo`)).toBe(`${long}and **bo**`)
})
