import {expect, test} from 'vitest'
import {closeTail, repairTail} from '#features/chat/markdown/repair-tail.ts'

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

test.each([
  ['- foo\n- ', '- foo'],
  ['foo\n[x', 'foo'],
  ['foo\n[X] ', 'foo'],
  ['foo\n12. ', 'foo'],
  ['foo\n1234567890', 'foo\n1234567890'],
  ['foo\n> 12', 'foo'],
  ['foo\n1 2', 'foo\n1 2'],
  ['foo\n[x] a', 'foo\n[x] a'],
])('a line of nothing but the start of a marker waits: %j', (raw, visible) => {
  expect(repairTail(raw)).toBe(visible)
})

test.each([
  ['| a | b |\n', ''],
  ['Here:\n| a | b |\n', 'Here:'],
  ['Here:\n| a | b |\n|--', 'Here:'],
  ['Here:\n| a | b |\n|--|--|\n| c', 'Here:\n| a | b |\n|--|--|'],
  ['- foo\n\n  | a | b |\n', '- foo'],
  ['a | b\n--', ''],
  ['> foo\n> | a | b |\n> |-', '> foo'],
  ['> foo\n> | a | b |\n> |--|--|\n> | c | d |\n', '> foo\n> | a | b |\n> |--|--|\n> | c | d |'],
  ['foo\n|x| is 3\nso', 'foo\n|x| is 3\nso'],
])('the head of a table waits for its dashes, a row for its end: %j', (raw, visible) => {
  expect(repairTail(raw)).toBe(visible)
})

test('a row of boxes is shown as it grows', () => {
  const row = `Seats:\n${'[ ] '.repeat(400)}row A`
  expect(repairTail(row)).toBe(row)
})
