import {readdirSync, readFileSync} from 'node:fs'
import {join, resolve} from 'node:path'
import {Linter} from 'eslint'
import tseslint from 'typescript-eslint'
import {describe, expect, test} from 'vitest'
import {plainWords, refusedIn, refusedNames, refusedWords} from '#tools/plain-words.mjs'

const root = resolve(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

const linter = new Linter()
const messagesOf = (code: string, filename = 'foo.ts') =>
  linter
    .verify(
      code,
      [
        {
          files: ['**/*.{ts,tsx}'],
          languageOptions: {parser: tseslint.parser},
          plugins: {atrium: {rules: {'plain-words': plainWords}}},
          rules: {'atrium/plain-words': 'error'},
        },
      ],
      {filename},
    )
    .map(({line, message}) => `${line} ${message.split(' ')[0]}`)

describe('the rule', () => {
  test.each([
    ['a variable', 'const songFilms = []', '1 "films"'],
    ['a function', 'function openPicture() {}', '1 "picture"'],
    ['a parameter', 'const foo = (picture: string) => picture', '1 "picture"'],
    ['a destructured name', 'const {bar: film} = foo', '1 "film"'],
    ['a type', 'type LateMenu = string', '1 "late"'],
    ['a member of a type', 'type Foo = {isTold: boolean}', '1 "told"'],
    ['a method', 'class Foo {\n  film() {}\n}', '2 "film"'],
    ['an import under another name', "import {foo as film} from './foo.ts'", '1 "film"'],
    ['a comment', '/** The picture of a song. */', '1 "picture"'],
    ['a comment of several lines', 'foo()\n/*\n * Whoever reads this.\n */', '2 "whoever"'],
  ])('refuses a word in %s', (_, code, message) => {
    expect(messagesOf(code)).toEqual([message])
  })

  test('refuses a word in the name of a file', () => {
    expect(messagesOf('', 'late-menu.tsx')).toEqual(['1 "late"'])
  })

  test.each([
    ['the import of another module', "import {Film} from 'lucide-react'"],
    ['a member of another object', 'const foo = bar.picture_url'],
    ['a key of the wire', "const foo = {picture: 'bar'}"],
    ['a text', "const foo = 'a picture'"],
    ['code in a comment', '/** The field `picture` and the label "Picture". */'],
    ['a word that contains it', 'const {latest, filmstrips} = foo // replaces the latest'],
  ])('leaves %s alone', (_, code) => {
    expect(messagesOf(code)).toEqual([])
  })
})

describe('the documentation', () => {
  const pages = ['README.md', 'CHANGELOG.md', ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`)].filter(
    (path) => path.endsWith('.md') && path !== 'docs/glossary.md',
  )

  test.each(pages)('%s keeps to the glossary', (page) => {
    const text = read(page).replace(/^```[\s\S]*?^```/gm, '')
    const matches = text.split('\n').flatMap((line) => refusedIn(line).map(({word}) => `${word}: ${line.trim()}`))
    expect(matches).toEqual([])
  })

  test('the glossary names every refused word', () => {
    const named = [...read('docs/glossary.md').matchAll(/\*\*([a-z]+)\*\*/g)].map((match) => match[1])
    const refused = [...refusedWords, ...refusedNames].flatMap((entry) => entry.refused)
    expect([...new Set(named)].filter((word) => word !== 'bold').sort()).toEqual([...refused].sort())
  })
})
