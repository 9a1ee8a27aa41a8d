import {expect, test} from 'vitest'
import {codeFileName} from '#features/chat/markdown/code-file.ts'
import {plainText, spokenText} from '#features/chat/markdown/plain-text.ts'

test.each([
  ['words', '# Title\n\n**bold** *em* ~~gone~~ `a < b` &amp; \\*', 'Title\n\nbold em gone a < b & *'],
  ['lists', '1. one\n2. two\n   - deep\n   - [x] done\n\n* last', '1. one\n2. two\n   - deep\n   - [x] done\n\n- last'],
  ['tasks', '- [x] done\n- [ ] open\n\n  still', '- [x] done\n- [ ] open\n  still'],
  ['code in a list', '- ```\n  a\n\n  b\n  ```', '- a\n\n  b'],
  ['a list from 5 on', '5. five\n6. six', '5. five\n6. six'],
  ['code', '```ts a.ts\nconst a = `*1*`\n```', 'const a = `*1*`'],
  ['a table', '| a | b |\n|--|--|\n| *1* | `2` |', 'a\tb\n1\t2'],
  ['a link and an image', '[Foo](https://foo.test) ![A cat](https://foo.test/cat.png)', 'Foo A cat'],
  ['a quotation', '> one\n>\n> two', 'one\n\ntwo'],
  ['formulas', 'Since $a^2$ is\n\n$$\nb^2\n$$', 'Since a^2 is\n\nb^2'],
  ['reasoning', '<think>hm</think>\n\nYes', 'Yes'],
  ['markup', 'a <b>c</b>', 'a <b>c</b>'],
  ['a line break', 'one  \ntwo', 'one\ntwo'],
  ['a break of HTML', 'one<br>two<br/>three', 'one\ntwo\nthree'],
  ['a break in a table', '| a |\n|--|\n| 1<br>2 |', 'a\n1\n2'],
  ['raised and lowered text', 'H<sub>2</sub>O m<sup>2</sup>', 'H2O m2'],
  [
    'a note with an address below',
    'Foo[^1]\n\n[^1]: See [this][p]\n\n[p]: https://foo.test',
    'Foo[^1]\n\n[^1]: See this',
  ],
  ['nothing', '', ''],
])('%s without Markdown', (_, markdown, text) => expect(plainText(markdown)).toBe(text))

test.each([
  ['Do this:\n\n```sh\nnpm start\n```\n\nThen `npm test`.', 'Do this:\n\nThen npm test.'],
  ['1. one\n\n   ```sh\n   npm start\n   ```\n2. two\n\n> ```\n> a\n> ```\n>\n> b', '1. one\n2. two\n\nb'],
  [
    'See https://www.example.com/a/b?c=d#e, or (http://foo.test/x). [Words](https://foo.test/y)',
    'See example.com, or (foo.test). Words',
  ],
  ['```sh\nnpm start\n```', 'npm start'],
  ['- [x] done\n- [ ] open', '- done\n- open'],
])('%j is heard without code and addresses', (markdown, text) => expect(spokenText(markdown)).toBe(text))

test.each([
  ['ts', undefined, 'code.ts'],
  ['python', undefined, 'code.py'],
  ['', undefined, 'code.txt'],
  ['constructor', undefined, 'code.txt'],
  ['ts', 'src/use-foo.ts', 'use-foo.ts'],
  ['sh', '../../.bashrc', 'bashrc'],
])('code of %j in %j is saved as %s', (language, file, name) => expect(codeFileName(language, file)).toBe(name))
