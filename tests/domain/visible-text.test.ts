import {describe, expect, test} from 'vitest'
import {foldText} from '#domain/fold-text.ts'
import {queryAsShown, searchedText, visibleText} from '#domain/visible-text.ts'

const words = (markdown: string) => visibleText(markdown).split(/\s+/).filter(Boolean).join(' ')

test.each([
  ['**Foo**bar and *baz* ~~qux~~ `code`', 'Foobar and baz qux code'],
  ['## Head\n\n> quoted\n\n- [x] done\n- item\n  1. nested', 'Head quoted done item nested'],
  ['a [link](https://foo.example/bar) and ![alt](https://foo.example/cat.png)', 'a link and'],
  ['| Fruit | Price |\n|---|--:|\n| Apple | 1 |', 'Fruit Price Apple 1'],
  ['snake_case_name and _emphasis_', 'snake_case_name and emphasis'],
  ['a__b ___c___ d_ _ e_f_', 'ab c d e_f'],
  ['```ts\nconst a = b * c\n// # no head\n```\nafter', 'const a = b * c // # no head after'],
  ['~~~\nopen * fence', 'open * fence'],
  ['<think>foo\n\nbar</think>\n\nshown\n<think>open', 'shown'],
  ['The tag `<think>` is shown:\n```html\n<think>foo</think>\n```', 'The tag <think> is shown: <think>foo</think>'],
  ['2 \\* 3', '2 * 3'],
  ['one\n\n---\n\ntwo', 'one two'],
  ['-5 degrees', '-5 degrees'],
  ['Use `__init__`, `**kwargs`, `a*b`, `_private`, `a | b`', 'Use __init__, **kwargs, a*b, _private, a | b'],
  ['`fns[0](x)` and `\\*` and `- x`\n`# y`', 'fns[0](x) and \\* and - x # y'],
  ['a `` `_x_` `` b ` c', 'a `_x_` b c'],
  ['[`__a__`](https://foo.example) ![`b`](c.png) `__d__`', '__a__ __d__'],
  ['| `a \\| b` | `__c__` |\n|---|---|', 'a | b __c__'],
  ['a ` *b*\n\n*c* ` d', 'a b c d'],
  ['\\`*a*\\` `*b*`', '`a` *b*'],
  ['`a` - b\n`c` | `d`', 'a - b c d'],
  [
    '1. Step:\n\n    ```py\n    def __init__():\n\n        a * b * c\n    ```\n   - *foo*',
    'Step: def __init__(): a * b * c foo',
  ],
  ['- ```\n  __a__\n  ```\n> ```\n> __b__\n> ```', '__a__ > __b__'],
  // a block within a block that is no list
  [
    '```md\n1. Step\n\n    ```sh\n    npm i\n    ```\n> ```\n```\n**after** it',
    '1. Step ```sh npm i ``` > ``` after it',
  ],
])('%j reads %j', (markdown, expected) => expect(words(markdown)).toBe(expected))

test('a long answer takes no time to speak of', () => {
  const text = '## Head\n\nSome **bold** words and `code` | with * marks\n\n- one\n- two\n\n'.repeat(4_000)
  const hostile = `${'['.repeat(50_000)}${'`'.repeat(50_000)}\n${'> '.repeat(20_000)}${'~~~'.repeat(10_000)}`
  const runs = Array.from({length: 1_000}, (_, length) => '`'.repeat(length))
    .join(' ')
    .concat(' ` ``'.repeat(50_000))
  const began = performance.now()
  visibleText(text)
  visibleText(hostile)
  visibleText(runs)
  expect(performance.now() - began).toBeLessThan(5_000)
})

describe('words between underscores', () => {
  test('are searched as they are shown and as they were written', () => {
    expect(searchedText('Its __init__ runs.')).toBe('Its init runs.\n__init__')
    expect(searchedText('Its `__init__` runs.')).toBe('Its __init__ runs.')
  })
  test('are not taken from thoughts and addresses', () => {
    expect(searchedText('<think>__secret__</think>Yes.')).not.toContain('secret')
    expect(searchedText('[here](https://example.com/__path__)')).toBe('here')
  })
  test('a query is sought as the text has it', () => {
    expect(queryAsShown('Python __init__', foldText('Its init runs.'))).toBe('Python init')
    expect(queryAsShown('__init__', foldText('Its __init__ runs.'))).toBe('__init__')
    expect(queryAsShown('snake_case', foldText('Its snake_case'))).toBe('snake_case')
  })
})
