import {existsSync, readdirSync, readFileSync} from 'node:fs'
import {dirname, join, resolve} from 'node:path'
import {describe, expect, test} from 'vitest'
import type {AnyStateMachine, AnyStateNode} from 'xstate'
import {createGenerationMachine} from '#machines/generation/generation.machine.ts'
import {playerMachine} from '#machines/player/player.machine.ts'
import {taskPollMachine} from '#machines/task-poll/task-poll.machine.ts'
import {submissionMachine} from '#machines/submission/submission.machine.ts'
import {taskDaysMachine} from '#machines/task-days/task-days.machine.ts'
import {taskFavouritesMachine} from '#machines/task-favourites/task-favourites.machine.ts'
import {taskLookupMachine} from '#machines/task-lookup/task-lookup.machine.ts'
import {taskPagesMachine} from '#machines/task-pages/task-pages.machine.ts'
import {taskRequestsMachine} from '#machines/task-requests/task-requests.machine.ts'
import {taskListMachine} from '#machines/task-list/task-list.machine.ts'
import {tasksMachine} from '#machines/tasks/tasks.machine.ts'
import {createToolMachine} from '#machines/tool/tool.machine.ts'
import {uploadMachine} from '#machines/upload/upload.machine.ts'
import {settingNames} from '#server/read-config.ts'
import {rules} from './machines/media-fixtures.ts'

/* The documentation names things that exist: files, links, commands, settings, states of the media charts. */

const root = resolve(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const pages = ['README.md', 'CHANGELOG.md', ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`)].filter(
  (path) => path.endsWith('.md'),
)

const withoutBlocks = (text: string) => text.replace(/^```[\s\S]*?^```/gm, '')
const codesIn = (text: string) => [...withoutBlocks(text).matchAll(/`([^`\n]+)`/g)].map((match) => match[1] ?? '')
const blocksIn = (text: string) => [...text.matchAll(/^```[^\n]*\n([\s\S]*?)^```/gm)].map((match) => match[1] ?? '')
/** The anchor that a heading gets. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-')
const anchorsOf = (path: string) => [...read(path).matchAll(/^#+ (.+)$/gm)].map((match) => anchorOf(match[1] ?? ''))

/** Files and folders of the project, with forward slashes. */
const paths = ['src', 'machines', 'tests', 'e2e', 'docs', 'locales'].flatMap((folder) => [
  folder,
  ...readdirSync(join(root, folder), {recursive: true, encoding: 'utf8'}).map(
    (path) => `${folder}/${path.replaceAll('\\', '/')}`,
  ),
])
const known = new Set(paths)
const names = new Set(paths.map((path) => path.split('/').at(-1)))

/** `tests/machines/{a,b}.test.ts` is two; `<id>` and `*` stand for any name. */
function isThere(path: string): boolean {
  const list = /^(.*)\{([^}]+)\}(.*)$/.exec(path)
  if (list) return (list[2] ?? '').split(',').every((part) => isThere(`${list[1]}${part.trim()}${list[3]}`))
  const parts = path.replace(/\/$/, '').split(/<[^>]+>|\*+|…/)
  if (parts.length === 1) return known.has(parts[0] ?? '')
  const pattern = new RegExp(`^${parts.map((part) => part.replace(/[.+?^$()|[\]\\]/g, '\\$&')).join('[^/]*')}$`)
  return paths.some((each) => pattern.test(each))
}

describe.each(pages)('%s', (page) => {
  const text = read(page)

  test('names files that exist', () => {
    const named = codesIn(text)
      .flatMap((code) => code.split(/\s+/))
      .map((word) => word.replace(/[),.;:]+$/, ''))
      .filter((word) => /^(src|machines|tests|e2e|docs|locales)\/\S+$/.test(word))
    expect(named.filter((path) => !isThere(path))).toEqual([])
  })

  test('names files by their last part that exist', () => {
    const named = codesIn(text).filter((code) => /^[a-z][a-z0-9-]*(\.[a-z-]+)*\.(ts|tsx|mjs)$/.test(code))
    // the one file that is named because there is none
    expect(named.filter((name) => name !== 'index.ts' && !names.has(name))).toEqual([])
  })

  test('links lead somewhere', () => {
    const links = [...withoutBlocks(text).matchAll(/\]\(([^)\s]+)\)/g)]
      .map((match) => match[1] ?? '')
      .filter((link) => !/^[a-z]+:/.test(link))
    const broken = links.filter((link) => {
      const [path = '', anchor] = link.split('#')
      const target = path === '' ? page : join(dirname(page), path)
      return !existsSync(join(root, target)) || (anchor !== undefined && !anchorsOf(target).includes(anchor))
    })
    expect(broken).toEqual([])
  })

  test('commands are scripts of the project, or install its packages', () => {
    // as: the project's own file
    const {scripts} = JSON.parse(read('package.json')) as {scripts: Record<string, string>}
    const commands = [...text.matchAll(/\bnpm (?:run (?:-s )?)?([a-z][a-z:]*)/g)].map((match) => match[1] ?? '')
    expect(commands.filter((name) => name !== 'ci' && !(name in scripts))).toEqual([])
  })

  test('settings are read', () => {
    // read by the server's start, the end-to-end tests, the build of the client and Node.js itself
    const ofBuild = read('src/app/vite-env.d.ts').match(/\bVITE_\w+/g) ?? []
    const ofTests = ['TEST_FILES_URL']
    const own = new Set([
      ...settingNames,
      ...ofBuild,
      'CONFIG_FILE',
      'CHROMIUM_PATH',
      'NODE_EXTRA_CA_CERTS',
      ...ofTests,
    ])
    const named = [...codesIn(text), ...blocksIn(text).flatMap((block) => block.split(/[\s"]+/))]
      .map((code) => /^([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?:[=/|].*)?$/.exec(code)?.[1])
      .filter((name) => name !== undefined)
    expect(named.filter((name) => !own.has(name))).toEqual([])
  })
})

test('every setting stands in the table of settings', () => {
  const table = read('docs/configuration.md')
  expect(settingNames.filter((name) => !table.includes(`\`${name}\``))).toEqual([])
})

describe('states of the media charts', () => {
  const charts: Record<string, AnyStateMachine> = {
    generation: createGenerationMachine(rules),
    upload: uploadMachine,
    submission: submissionMachine,
    taskList: taskListMachine,
    pages: taskPagesMachine,
    days: taskDaysMachine,
    lookup: taskLookupMachine,
    favourites: taskFavouritesMachine,
    requests: taskRequestsMachine,
    taskPoll: taskPollMachine,
    tasks: tasksMachine,
    tool: createToolMachine('foo'),
    player: playerMachine,
  }
  const statesOf = (node: AnyStateNode): string[] =>
    Object.values(node.states).flatMap((state) => [state.key, ...statesOf(state)])
  const rows = [...read('docs/media-tools.md').matchAll(/^\| `(\w+)` \| `(machines\/[^`]+)` \| (.+) \|$/gm)]

  test('each chart has its row', () => {
    expect(rows.map(([, name]) => name).sort()).toEqual(Object.keys(charts).sort())
  })

  test.each(rows.map(([, name = '', , words = '']) => [name, words] as const))('%s', (name, words) => {
    const chart = charts[name]
    if (chart === undefined) throw new Error(`There is no chart "${name}"`)
    const named = codesIn(words).flatMap((code) => code.split(/[{}·\s]+/).filter(Boolean))
    const states = new Set(statesOf(chart.root))
    expect(named.filter((word) => !states.has(word))).toEqual([])
  })
})
