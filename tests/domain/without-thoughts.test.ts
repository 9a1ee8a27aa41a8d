import {expect, test} from 'vitest'
import {withoutThoughts} from '#domain/without-thoughts.ts'

test.each([
  ['<think>foo\n\nbar</think>\n\n**baz**', '**baz**'],
  ['<think>\nfoo\n</think>bar', 'bar'],
  ['foo\n\n<THINK>bar</THINK>\n\nbaz', 'foo\n\nbaz'],
  ['<think>```\nfoo</think>\n\n```\nbar\n```', '```\nbar\n```'],
  ['<think>still thinking', ''],
  ['foo\n\n<think>cut', 'foo\n\n'],
  ['The tag `<think>` is text.', 'The tag `<think>` is text.'],
  ['```html\n<think>foo</think>\n```\n\nbar', '```html\n<think>foo</think>\n```\n\nbar'],
  ['~~~~\n~~~\n<think>foo\n~~~~\n<think>bar</think>', '~~~~\n~~~\n<think>foo\n~~~~\n'],
  ['1. ```\n   <think>foo</think>\n   ```', '1. ```\n   <think>foo</think>\n   ```'],
  ['> ```\n> <think>foo', '> ```\n> <think>foo'],
  ['```foo``` in a line\n<think>bar</think>baz', '```foo``` in a line\nbaz'],
  ['```\n<think>open', '```\n<think>open'],
])('%j without its thoughts', (markdown, answer) => expect(withoutThoughts(markdown)).toBe(answer))

test('a long answer takes no time to speak of', () => {
  const hostile = `${'> '.repeat(20_000)}\n${'- '.repeat(20_000)}\n${'```\n'.repeat(10_001)}${'<think>\n'.repeat(20_000)}`
  const began = performance.now()
  withoutThoughts(hostile)
  withoutThoughts(`${'`'.repeat(50_000)}\n`.repeat(4))
  expect(performance.now() - began).toBeLessThan(5_000)
})
