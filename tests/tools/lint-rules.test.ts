import {spawnSync} from 'node:child_process'
import {mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join, resolve} from 'node:path'
import {beforeAll, describe, expect, test} from 'vitest'
import {refusedIn, refusedNames, refusedWords} from '#tools/plain-words.mjs'

const root = resolve(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

const refused: [where: string, code: string, message: string, file?: string][] = [
  ['a variable', 'const songFilms = []', '1 "films"'],
  ['a function', 'function openPicture() {}', '1 "picture"'],
  ['a parameter', 'const foo = (picture: string) => picture', '1 "picture"'],
  ['a destructured name', 'const {bar: film} = foo', '1 "film"'],
  ['a type', 'type LateMenu = string', '1 "late"'],
  ['a type of several words', 'type ChatPlace = string', '1 "place"'],
  ['a member of a type', 'type Foo = {isTold: boolean}', '1 "told"'],
  ['a method', 'class Foo {\n  film() {}\n}', '2 "film"'],
  ['an import under another name', "import {foo as film} from './foo.ts'", '1 "film"'],
  ['a comment', '/** The picture of a song. */', '1 "picture"'],
  ['a comment of several lines', 'foo()\n/*\n * Whoever reads this.\n */', '2 "whoever"'],
  ['the beginning of a comment', '/** What is shown. */', '1 "What"'],
  ['the beginning of a comment of several lines', '/*\n * Of each song.\n */', '1 "Of"'],
  ['the beginning of line comments', 'foo() // Where it is.\n// Who has it.', '1 "Where"'],
  ['the name of a file', 'foo()', '1 "late"', 'late-menu.tsx'],
  ['the title of a test', "test('a picture is shown', () => {})", '1 "picture"'],
  ['the title of a table of tests', 'describe.each([1])(`a film of ${1}`, () => {})', '1 "film"'],
  ['a variable that is a participle', 'const kept = 1', '1 "kept"'],
  ['an item of a list', 'const [kept = 1] = foo', '1 "kept"'],
  ['a parameter that is a participle', 'const foo = (asked = 1) => asked', '1 "asked"'],
  ['an expression that starts at each of many', String.raw`foo.replace(/\s+$/, '')`, '1 Quadratic'],
  ['an expression of which two parts take the same', String.raw`/^\s*(?:[[\] ]|\[[ x]\]?)*$/.test(foo)`, '1 Quadratic'],
  ['an expression that repeats a repetition', '/^(?:a+)+$/.test(foo)', '1 Exponential'],
  ['an expression as a text', "new RegExp('a+$').test(foo)", '1 Quadratic'],
  ['an expression as a raw text', String.raw`RegExp(String.raw${'`'}\s+$${'`'}).test(foo)`, '1 Quadratic'],
]
const allowed: [where: string, code: string][] = [
  ['the import of another module', "import {Film} from 'lucide'"],
  ['a member of another object', 'const foo = bar.picture_url'],
  ['a key of the wire', "const foo = {picture: 'bar'}"],
  ['a text', "const foo = 'a picture'"],
  ['code in a comment', '/** The field `picture` and the label "Picture". */'],
  ['a word inside a comment', '/** Shows what is there. */\n// A line goes on\n// Of its own. Who knows.'],
  ['a participle that other code names', 'const {kept, ...foo} = bar'],
  ['a function that is a participle', 'const kept = () => 1'],
  ['an expression that refuses each start but one', String.raw`foo.replace(/(?<!\s)\s+$/, '')`],
  ['an expression at the start of the text', String.raw`/^\s+x/.test(foo)`],
  ['a sticky expression', String.raw`/\s+$/y.test(foo)`],
  ['an expression of other text', 'new RegExp(`${foo}+$`, "u")'],
  ['a word that contains it', 'const {latest, filmstrips, placeholder} = foo // replaces the latest'],
]

/** Runs the linter on each file and returns its messages, each as its line and first word. */
function lint(files: ReadonlyMap<string, string>): Map<string, string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'atrium-words-'))
  try {
    const config = {
      jsPlugins: [join(root, 'src/tools/lint-rules.mjs')],
      categories: {correctness: 'off'},
      rules: {'atrium/plain-words': 'error', 'atrium/noun-variables': 'error', 'atrium/linear-expressions': 'error'},
    }
    writeFileSync(join(folder, '.oxlintrc.json'), JSON.stringify(config))
    for (const [file, code] of files) writeFileSync(join(folder, file), code)
    const {stdout} = spawnSync(process.execPath, [join(root, 'node_modules/oxlint/bin/oxlint'), '--format=json'], {
      cwd: folder,
      encoding: 'utf8',
    })
    const output = new Map([...files.keys()].map((file) => [file, [] as string[]]))
    const {diagnostics} = JSON.parse(stdout) as {
      diagnostics: {filename: string; message: string; labels: {span: {line: number}}[]}[]
    }
    for (const {filename, message, labels} of diagnostics)
      output.get(filename)?.push(`${labels[0]?.span.line} ${message.split(' ')[0]}`)
    return output
  } finally {
    rmSync(folder, {recursive: true})
  }
}

describe('our own rules', () => {
  const refusedFile = (index: number) => refused[index]?.[3] ?? `refused-${index}.ts`
  const allowedFile = (index: number) => `allowed-${index}.ts`
  let output: Map<string, string[]>

  beforeAll(() => {
    output = lint(
      new Map([
        ...refused.map(([, code], index) => [refusedFile(index), code] as const),
        ...allowed.map(([, code], index) => [allowedFile(index), code] as const),
      ]),
    )
  })

  test.each(refused.map(([where, , message], index) => ({where, message, index})))(
    'refuse $where',
    ({message, index}) => {
      expect(output.get(refusedFile(index))).toEqual([message])
    },
  )

  test.each(allowed.map(([where], index) => ({where, index})))('leave $where alone', ({index}) => {
    expect(output.get(allowedFile(index))).toEqual([])
  })
})

describe('the documentation', () => {
  const pages = [
    'README.md',
    'CHANGELOG.md',
    ...readdirSync(join(root, 'docs'), {recursive: true, encoding: 'utf8'}).map((name) => `docs/${name}`),
  ].filter((path) => path.endsWith('.md') && path !== 'docs/glossary.md')

  test.each(pages)('%s keeps to the glossary', (page) => {
    const text = read(page).replace(/^```[\s\S]*?^```/gm, '')
    const matches = text.split('\n').flatMap((line) => refusedIn(line).map(({word}) => `${word}: ${line.trim()}`))
    expect(matches).toEqual([])
  })

  const namespaces = readdirSync(join(root, 'locales/en')).filter((name) => name.endsWith('.json'))

  test.each(namespaces)('the notes for translators in %s keep to it', (name) => {
    // as: tests/locales checks the shape
    const entries = Object.values(JSON.parse(read(`locales/en/${name}`)) as Record<string, {description?: string}>)
    const matches = entries.flatMap(({description = ''}) =>
      refusedIn(description).map(({word}) => `${word}: ${description}`),
    )
    expect(matches).toEqual([])
  })

  test('the glossary names every refused word', () => {
    const boldWords = [...read('docs/glossary.md').matchAll(/\*\*([a-z]+)\*\*/g)].map((match) => match[1])
    const words = [...refusedWords, ...refusedNames].flatMap((entry) => entry.refused)
    expect([...new Set(boldWords)].filter((word) => word !== 'bold').sort()).toEqual([...words].sort())
  })
})
