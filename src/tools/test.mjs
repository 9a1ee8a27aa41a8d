import {spawn} from 'node:child_process'
import {existsSync, mkdirSync, readdirSync, readFileSync, rmSync} from 'node:fs'
import {join, relative} from 'node:path'
import {ensureInstalled} from './install.mjs'
import {cacheFolder, root} from './paths.mjs'
import {explainFileError, refuse} from './refuse.mjs'
import {playwrightFailures, vitestFailures} from './test-failures.mjs'

/*
 * `npm test` (all), `npm run check` (--check: the fast part) and `npm run test:full` (--full: the long matrix). Sets up
 * what it needs, runs every stage even when one fails, and ends with the line `N passed, N failed`. `npm test -- <name>
 * …` runs the test files whose path contains one of the names, and nothing else.
 */

/**
 * `failures`: the tests that failed, each by its full name and the head of its message. @typedef {{name: string,
 * passed: number, failed: number, failures?: string[]}} Outcome
 */

const mode = process.argv.includes('--check') ? 'check' : process.argv.includes('--full') ? 'full' : 'test'
const names = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const isNarrowed = names.length > 0
/** A name that only files of `npm run test:full` have asks for those. */
const namesFullFiles = () => {
  const files = readdirSync(join(root, 'tests'), {recursive: true}).map((file) => `tests/${file}`)
  const namedFiles = files.filter((file) => /\.test\.tsx?$/.test(file) && names.some((name) => file.includes(name)))
  return namedFiles.length > 0 && namedFiles.every((file) => file.includes('.full.'))
}
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

/**
 * Ends with what the process has written. It is kept: on a terminal the live lines of Vitest and Playwright erase what
 * others write. @returns {Promise<{code: number, output: string}>}
 */
const runKept = (/** @type {string[]} */ args) =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, args, {cwd: root, stdio: ['ignore', 'pipe', 'pipe']})
    /** @type {Buffer[]} */
    const chunks = []
    child.stdout.on('data', (chunk) => chunks.push(chunk))
    child.stderr.on('data', (chunk) => chunks.push(chunk))
    const end = (/** @type {number} */ code) => resolve({code, output: Buffer.concat(chunks).toString()})
    child.on('error', () => end(1))
    child.on('close', (code) => end(code ?? 1))
  })

/** A stage that is one check: it passes or it fails. @returns {Promise<Outcome & {output: string}>} */
const check = async (/** @type {string} */ name, /** @type {string[]} */ args) => {
  const {code, output} = await runKept(args)
  return {name, passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, output}
}

const build = async () => {
  process.stdout.write('── build …\n')
  const {output, ...outcome} = await check('build', [join(root, 'src/tools/build.mjs')])
  process.stdout.write(`\n── build\n${output}`)
  return outcome
}

/** The checks that no other stage waits for, in order beside the tests (docs/decisions/0126-checks-beside-tests.md). */
const beginChecks = () => {
  /** @type {[string, string[]][]} */
  const checks = [
    ['types', [join(root, 'src/tools/types.mjs')]],
    // each thread would resolve the same types again
    ['lint', [binary('oxlint/bin/oxlint'), '--report-unused-disable-directives', '--threads=1']],
    ['format', [binary('oxfmt/bin/oxfmt'), '--check', '--threads=1']],
  ]
  const pending = new Set(checks.map(([name]) => name))
  process.stdout.write(`── ${[...pending].join(', ')} beside the rest …\n`)
  const outcomes = (async () => {
    const exits = []
    for (const [name, args] of checks) {
      exits.push(await check(name, args))
      pending.delete(name)
    }
    return exits
  })()
  /** Waits for them, and prints what those that failed have said. */
  const end = async () => {
    if (pending.size > 0) process.stdout.write(`\n── waiting for ${[...pending].join(', ')} …\n`)
    for (const {name, failed, output} of await outcomes) if (failed) process.stdout.write(`\n── ${name}\n${output}`)
    return outcomes
  }
  return {end}
}

/** A stage whose runner writes a JSON report. A runner that ends badly without a failed test counts as one failure. */
const reported = async (
  /** @type {string} */ name,
  /** @type {string[]} */ args,
  /** @type {string} */ report,
  /**
   * `any`: each runner has a form of its own.
   * @type {(json: any) => {passed: number, failed: number, failures: string[]}}
   */
  read,
  /** @type {NodeJS.ProcessEnv} */ env = {},
) => {
  rmSync(report, {force: true})
  const code = await run(name, [...args, ...names], env)
  if (!existsSync(report)) return {name, passed: 0, failed: 1}
  let outcomeCounts
  try {
    outcomeCounts = read(JSON.parse(readFileSync(report, 'utf8')))
  } catch (error) {
    // a runner that was killed, or a disk that is full, leaves half of it
    return {name, passed: 0, failed: 1, failures: [`${relative(root, report)} cannot be read: ${String(error)}`]}
  }
  const {passed, failed, failures} = outcomeCounts
  const isEmpty = passed + failed === 0
  const silent = (code !== 0 && failed === 0) || (isEmpty && !isNarrowed) ? 1 : 0
  return {name, passed, failed: failed + silent, failures}
}

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
    {ATRIUM_TESTS: isNarrowed && namesFullFiles() ? 'full' : mode},
  )
}

/** Begins to look for a Chromium, or to install one, for the journeys. */
const beginChromium = () => {
  let isPending = true
  const setUpEnd = runKept([join(root, 'src/tools/chromium.mjs')]).finally(() => {
    isPending = false
  })
  /** Waits for it; says what it said, and whether there is one. */
  const end = async () => {
    if (isPending) process.stdout.write('\n── waiting for Chromium …\n')
    const {code, output} = await setUpEnd
    process.stdout.write(output)
    return code === 0
  }
  return {end}
}

/** @param {ReturnType<typeof beginChromium>} chromium @returns {Promise<Outcome>} */
const endToEnd = async (chromium) => {
  if (!(await chromium.end())) return {name: 'end-to-end tests', passed: 0, failed: 1, failures: ['no Chromium']}
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
const chromium = isWhole ? beginChromium() : undefined
const checks = isNarrowed ? undefined : beginChecks()
// the tests of the started server and of the pages use it
if (isWhole) outcomes.push(await build())
outcomes.push(await vitest('unit', 'browser', ...(mode === 'check' ? [] : ['server'])))
if (mode !== 'check') {
  const isWanted = readdirSync(join(root, 'e2e')).some((file) => names.some((name) => `e2e/${file}`.includes(name)))
  if (!isNarrowed || isWanted) outcomes.push(await endToEnd(chromium ?? beginChromium()))
}
outcomes.unshift(...((await checks?.end()) ?? []))

process.stdout.write('\n')
for (const {name, passed, failed, failures = []} of outcomes) {
  process.stdout.write(`${failed ? '✗' : '✓'} ${name}: ${passed} passed, ${failed} failed\n`)
  for (const failure of failures) process.stdout.write(`    ${failure}\n`)
}
const passedCount = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0)
const failedCount = outcomes.reduce((sum, outcome) => sum + outcome.failed, 0)
const isNothing = passedCount + failedCount === 0
if (isNothing) process.stdout.write(`\nNo test file has ${names.join(' or ')} in its path.\n`)
const exitCode = isNothing ? 1 : failedCount
process.stdout.write(`\n${passedCount} passed, ${exitCode} failed\n`)
process.exit(exitCode === 0 ? 0 : 1)
