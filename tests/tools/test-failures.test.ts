import {join} from 'node:path'
import {expect, test} from 'vitest'
import {root} from '#tools/paths.mjs'
import {playwrightFailures, vitestFailures} from '#tools/test-failures.mjs'

const message = [
  '\u001B[31mAssertionError: expected 1 to be 2\u001B[39m',
  '',
  ...Array.from({length: 20}, (_, line) => `  line ${line}`),
  `    at eventually (${join(root, 'node_modules/library/index.js')}:1:1)`,
  `    at ${join(root, 'tests/one.test.ts')}:7:3`,
].join('\n')
const report = [
  '        AssertionError: expected 1 to be 2',
  ...Array.from({length: 11}, (_, line) => `          line ${line}`),
  '            at tests/one.test.ts:7:3',
].join('\n')

test('a failed test of Vitest is reported with the head of its message and where it failed', () => {
  const assertionResults = [
    {status: 'passed', fullName: 'adds', failureMessages: []},
    {status: 'failed', fullName: 'subtracts', failureMessages: [message]},
  ]
  const file = {name: join(root, 'tests/one.test.ts'), status: 'failed', message: '', assertionResults}
  expect(vitestFailures(file)).toEqual([`tests/one.test.ts › subtracts\n${report}`])
})

test('a file that broke before its first test is reported by its path', () => {
  const file = {
    name: join(root, 'tests/one.test.ts'),
    status: 'failed',
    message: 'No such module',
    assertionResults: [],
  }
  expect(vitestFailures(file)).toEqual(['tests/one.test.ts\n        No such module'])
})

test('a failed journey is reported with the message of its first attempt that failed', () => {
  const failed = {
    file: 'chat.spec.ts',
    line: 4,
    title: 'asks',
    ok: false,
    tests: [{results: [{}, {error: {message: 'AssertionError', stack: message}}]}],
  }
  const passed = {file: 'chat.spec.ts', line: 9, title: 'answers', ok: true, tests: [{results: [{}]}]}
  expect(playwrightFailures({suites: [{specs: [failed, passed]}]})).toEqual([`e2e/chat.spec.ts:4 › asks\n${report}`])
})
