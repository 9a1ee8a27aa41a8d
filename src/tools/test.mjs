import {spawn} from 'node:child_process'
import {existsSync, mkdirSync, readdirSync, readFileSync, rmSync} from 'node:fs'
import {join, relative} from 'node:path'
import {ensureInstalled} from './install.mjs'
import {cacheFolder, root} from './paths.mjs'
import {explainFileError, refuse} from './refuse.mjs'

/*
 * `npm test` (all), `npm run check` (--check: the fast part) and `npm run test:full` (--full: the long matrix). Sets up what it needs,
 * runs every stage even when one fails, and ends with the line `N passed, N failed`. `npm test -- <name> …` runs the test files
 * whose path contains one of the names, and nothing else.
 */

/** `failures`: the full names of the tests that failed. @typedef {{name: string, passed: number, failed: number, failures?: string[]}} Outcome */

const mode = process.argv.includes('--check') ? 'check' : process.argv.includes('--full') ? 'full' : 'test'
const names = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const isNarrowed = names.length > 0
const binary = (/** @type {string} */ path) => join(root, 'node_modules', path)

/** @param {string} name @param {string[]} args @param {NodeJS.ProcessEnv} [env] @returns {Promise<number>} */
const run = (name, args, env = {}) =>
  new Promise((resolve) => {
    process.stdout.write(`\n── ${name}\n`)
    const child = spawn(process.execPath, args, {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: {...process.env, ...env},
    })
    child.on('error', () => resolve(1))
    child.on('exit', (code) => resolve(code ?? 1))
  })

/** A stage that is one check: it passes or it fails. Its output comes in one piece, since other stages run beside it. @returns {Promise<Outcome>} */
const check = (/** @type {string} */ name, /** @type {string[]} */ args) =>
  new Promise((resolve) => {
    process.stdout.write(`── ${name} …\n`)
    const child = spawn(process.execPath, args, {cwd: root, stdio: ['ignore', 'pipe', 'pipe']})
    /** @type {Buffer[]} */
    const output = []
    child.stdout.on('data', (chunk) => output.push(chunk))
    child.stderr.on('data', (chunk) => output.push(chunk))
    const end = (/** @type {number} */ code) => {
      process.stdout.write(`\n── ${name}\n${Buffer.concat(output).toString()}`)
      resolve({name, passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1})
    }
    child.on('error', () => end(1))
    child.on('close', (code) => end(code ?? 1))
  })

/** The checks that no other stage waits for, one after the other beside the tests (docs/decisions/0126-checks-beside-tests.md). */
const checksBesideTests = async () => [
  await check('types', [join(root, 'src/tools/types.mjs')]),
  await check('lint', [binary('oxlint/bin/oxlint'), '--report-unused-disable-directives']),
  await check('format', [binary('prettier/bin/prettier.cjs'), '--check', '.']),
]

/** A stage whose runner writes a JSON report. A runner that ends badly without a failed test counts as one failure. */
const reported = async (
  /** @type {string} */ name,
  /** @type {string[]} */ args,
  /** @type {string} */ report,
  /** @type {(json: any) => {passed: number, failed: number, failures: string[]}} */ read,
  /** @type {NodeJS.ProcessEnv} */ env = {},
) => {
  rmSync(report, {force: true})
  const code = await run(name, [...args, ...names], env)
  if (!existsSync(report)) return {name, passed: 0, failed: 1}
  const {passed, failed, failures} = read(JSON.parse(readFileSync(report, 'utf8')))
  const isEmpty = passed + failed === 0
  const silent = (code !== 0 && failed === 0) || (isEmpty && !isNarrowed) ? 1 : 0
  return {name, passed, failed: failed + silent, failures}
}

/** A file that broke before its first test is named itself. @returns {string[]} */
const vitestFailures = (/** @type {any} */ {name, status, assertionResults}) => {
  const file = relative(root, name)
  if (status === 'failed' && assertionResults.length === 0) return [file]
  return assertionResults
    .filter((/** @type {any} */ test) => test.status === 'failed')
    .map((/** @type {any} */ test) => `${file} › ${test.fullName}`)
}

/** @returns {string[]} */
const playwrightFailures = (/** @type {any} */ {specs = [], suites = []}) => [
  ...specs
    .filter((/** @type {any} */ spec) => !spec.ok)
    .map((/** @type {any} */ spec) => `e2e/${spec.file}:${spec.line} › ${spec.title}`),
  ...suites.flatMap(playwrightFailures),
]

/** The projects run as one: the last file of one waits for no other. */
const vitest = (/** @type {string[]} */ ...projects) => {
  const report = join(cacheFolder, 'vitest.json')
  return reported(
    `${projects.join(', ')} tests`,
    [
      binary('vitest/vitest.mjs'),
      'run',
      ...projects.flatMap((project) => ['--project', project]),
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...(isNarrowed ? ['--passWithNoTests'] : []),
      // who names a file wants all of it
      ...(isNarrowed || mode === 'full' ? [] : ['--tags-filter=!long']),
    ],
    report,
    (json) => ({
      passed: json.numPassedTests,
      failed:
        json.numFailedTests +
        json.testResults.filter(
          (/** @type {any} */ file) => file.status === 'failed' && file.assertionResults.length === 0,
        ).length,
      failures: json.testResults.flatMap(vitestFailures),
    }),
    {ATRIUM_TESTS: mode},
  )
}

/** Begins to install what the journeys need; they say what is missing where it fails. @returns {Promise<void>} */
const beginChromium = () =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [join(root, 'src/tools/chromium.mjs')], {cwd: root, stdio: 'ignore'})
    child.on('error', () => resolve())
    child.on('exit', () => resolve())
  })

const endToEnd = async () => {
  const {ensureChromium} = await import('./chromium.mjs')
  ensureChromium()
  const report = join(cacheFolder, 'playwright.json')
  return reported(
    'end-to-end tests',
    [
      binary('@playwright/test/cli.js'),
      'test',
      '--reporter=list,json',
      ...(isNarrowed ? ['--pass-with-no-tests'] : []),
      // who names a file wants all of it
      ...(isNarrowed || mode === 'full' ? [] : ['--grep-invert=@long']),
    ],
    report,
    (json) => ({
      passed: json.stats.expected + json.stats.flaky,
      failed: json.stats.unexpected,
      failures: json.suites.flatMap(playwrightFailures),
    }),
    {PLAYWRIGHT_JSON_OUTPUT_NAME: report, ATRIUM_E2E: mode},
  )
}

ensureInstalled({development: true})
try {
  mkdirSync(cacheFolder, {recursive: true})
} catch (error) {
  refuse(explainFileError(error, cacheFolder))
}

/** @type {Outcome[]} */
const outcomes = []
const isWhole = mode !== 'check' && !isNarrowed
const chromium = isWhole ? beginChromium() : Promise.resolve()
const checks = isNarrowed ? Promise.resolve([]) : checksBesideTests()
// the tests of the started server and of the pages use it
if (isWhole) outcomes.push(await check('build', [join(root, 'src/tools/build.mjs')]))
outcomes.push(await vitest('unit', 'browser', ...(mode === 'check' ? [] : ['server'])))
if (mode !== 'check') {
  const isWanted = readdirSync(join(root, 'e2e')).some((file) => names.some((name) => `e2e/${file}`.includes(name)))
  await chromium
  if (!isNarrowed || isWanted) outcomes.push(await endToEnd())
}
outcomes.unshift(...(await checks))

process.stdout.write('\n')
for (const {name, passed, failed, failures = []} of outcomes) {
  process.stdout.write(`${failed ? '✗' : '✓'} ${name}: ${passed} passed, ${failed} failed\n`)
  for (const failure of failures) process.stdout.write(`    ${failure}\n`)
}
const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0)
const broken = outcomes.reduce((sum, outcome) => sum + outcome.failed, 0)
const isNothing = passed + broken === 0
if (isNothing) process.stdout.write(`\nNo test file has ${names.join(' or ')} in its path.\n`)
const failed = isNothing ? 1 : broken
process.stdout.write(`\n${passed} passed, ${failed} failed\n`)
process.exit(failed === 0 ? 0 : 1)
