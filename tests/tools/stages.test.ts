import {afterEach, beforeEach, expect, test} from 'vitest'
import {Checkout} from './checkout.ts'

/*
 * The stages of `npm test`: what they say, and what is counted, whichever of them ends first. Each runner is a
 * stand-in.
 */

let checkout: Checkout
beforeEach(() => {
  checkout = new Checkout()
  checkout.write('node_modules/.package-lock.json', '{}')
  checkout.write('e2e/foo.spec.ts', '')
  checkout.write('node_modules/typescript/bin/tsc', says('types checked'))
  checkout.write('node_modules/oxlint/bin/oxlint', says('lint checked'))
  checkout.write('node_modules/oxfmt/bin/oxfmt', says('format checked'))
  checkout.write('node_modules/vitest/vitest.mjs', tests(oneTest))
  checkout.write('node_modules/@playwright/test/cli.js', journeys)
  checkout.write('src/tools/chromium.mjs', '')
})
afterEach(() => checkout.remove())

/** A program, ES module or not, that says one thing. */
const says = (text: string, code = 0) => `process.stdout.write('${text}\\n'); process.exitCode = ${code}\n`

/** Goes on when there is such a file in the checkout. */
const waitFor = (file: string, program: string) => `{
  const wait = setInterval(() => {
    if (!process.getBuiltinModule('node:fs').existsSync('${file}')) return
    clearInterval(wait)
    ${program}
  }, 5)
}
`
const mark = (file: string) => `process.getBuiltinModule('node:fs').writeFileSync('${file}', '')\n`

const oneTest = JSON.stringify({numPassedTests: 1, numFailedTests: 0, testResults: []})
/** Instead of Vitest: writes its report. */
const tests = (report: string) => `import {writeFileSync} from 'node:fs'
const file = process.argv.find((argument) => argument.startsWith('--outputFile.json='))
writeFileSync(file.slice(file.indexOf('=') + 1), ${JSON.stringify(report)})
process.stdout.write('tests ended\\n')
`
/** Instead of Playwright. */
const journeys = `import {writeFileSync} from 'node:fs'
writeFileSync(process.env.PLAYWRIGHT_JSON_OUTPUT_NAME, '{"stats": {"expected": 1, "flaky": 0, "unexpected": 0}, "suites": []}')
`

const lastLine = (output: string) => output.trimEnd().split('\n').at(-1)

test('a check that fails while tests run says why when they have ended: their live lines would erase it', async () => {
  checkout.write('node_modules/oxlint/bin/oxlint', says('a fault of lint', 1))
  checkout.write('node_modules/oxfmt/bin/oxfmt', mark('checked'))
  checkout.write('node_modules/vitest/vitest.mjs', waitFor('checked', `process.stdout.write('tests ended\\n')`))
  const {code, output} = await checkout.run('test.mjs', {}, ['--check'])
  expect(code).toBe(1)
  expect(output.slice(output.indexOf('tests ended'))).toContain('── lint\na fault of lint\n')
  expect(output.match(/a fault of lint/g)).toHaveLength(1)
  expect(lastLine(output)).toBe('2 passed, 2 failed')
})

test('a check that still runs when the tests have ended is named', async () => {
  checkout.write('node_modules/oxfmt/bin/oxfmt', `${mark('begun')}${waitFor('go on', 'undefined')}`)
  checkout.write('node_modules/vitest/vitest.mjs', waitFor('begun', `import('./tests.mjs')`))
  checkout.write('node_modules/vitest/tests.mjs', tests(oneTest))
  const started = checkout.start('test.mjs', {}, ['--check'])
  await started.says('── waiting for format …')
  checkout.write('go on', '')
  const {code, output} = await started.ended()
  expect([code, lastLine(output)]).toEqual([0, '4 passed, 0 failed'])
})

test('a report that was cut is one failure, and the rest is counted', async () => {
  checkout.write('node_modules/vitest/vitest.mjs', tests(oneTest.slice(0, -9)))
  const {code, output, log} = await checkout.run('test.mjs', {}, ['--check'])
  expect([code, log]).toEqual([1, ''])
  expect(output).toMatch(/✗ unit, browser tests: 0 passed, 1 failed\n {4}\.cache\/vitest\.json cannot be read: /)
  expect(lastLine(output)).toBe('3 passed, 1 failed')
})

test('a Chromium that cannot be had is looked for once, said, and counted', async () => {
  const program = `import {appendFileSync} from 'node:fs'
    appendFileSync(process.env.CALLS, 'chromium\\n')
    process.stderr.write('atrium: No Chromium was found.\\n')
    process.exit(78)
    export const ensureChromium = () => undefined`
  checkout.write('src/tools/chromium.mjs', program)
  const {code, output} = await checkout.run('test.mjs')
  expect(checkout.calls.filter((call) => call === 'chromium')).toHaveLength(1)
  expect(output).toContain('atrium: No Chromium was found.\n')
  expect(code).toBe(1)
  expect(lastLine(output)).toBe('5 passed, 1 failed')
})

test('the journeys begin when Chromium is there, and who waits for it is told', async () => {
  const program = `export const ensureChromium = () => undefined\n${waitFor('go on', `process.stderr.write('a Chromium is there\\n')`)}`
  checkout.write('src/tools/chromium.mjs', program)
  const started = checkout.start('test.mjs')
  await started.says('── waiting for Chromium …')
  checkout.write('go on', '')
  const {code, output} = await started.ended()
  expect(output.indexOf('a Chromium is there')).toBeLessThan(output.indexOf('── end-to-end tests'))
  expect(output).toContain('a Chromium is there')
  expect([code, lastLine(output)]).toEqual([0, '6 passed, 0 failed'])
})
