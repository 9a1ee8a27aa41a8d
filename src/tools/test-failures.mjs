import {relative} from 'node:path'
import {stripVTControlCharacters} from 'node:util'
import {root} from './paths.mjs'

/** Lines of a message that a summary repeats. */
const messageLines = 12

/**
 * A test, the head of its message and where it failed: a reader who has only the end of a long output sees the cause,
 * too.
 * @param {string} test @param {string} [message]
 */
const failureWith = (test, message = '') => {
  const lines = stripVTControlCharacters(message)
    .replaceAll(`${root}/`, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
  const frame = lines.slice(messageLines).find((line) => /^\s+at .*\b(tests|e2e)\//.test(line))
  const reportLines = [...lines.slice(0, messageLines), ...(frame ? [frame] : [])]
  return [test, ...reportLines.map((line) => `        ${line.slice(0, 200)}`)].join('\n')
}

/** A file that broke before its first test is named itself. @returns {string[]} */
export const vitestFailures = (/** @type {any} */ {name, status, message, assertionResults}) => {
  const file = relative(root, name)
  if (status === 'failed' && assertionResults.length === 0) return [failureWith(file, message)]
  return assertionResults
    .filter((/** @type {any} */ test) => test.status === 'failed')
    .map((/** @type {any} */ test) => failureWith(`${file} › ${test.fullName}`, test.failureMessages.join('\n')))
}

/** @returns {string[]} */
export const playwrightFailures = (/** @type {any} */ {specs = [], suites = []}) => [
  ...specs
    .filter((/** @type {any} */ spec) => !spec.ok)
    .map((/** @type {any} */ spec) => {
      const results = spec.tests.flatMap((/** @type {any} */ test) => test.results)
      const {error} = results.find((/** @type {any} */ result) => result.error) ?? {}
      return failureWith(`e2e/${spec.file}:${spec.line} › ${spec.title}`, error?.stack ?? error?.message)
    }),
  ...suites.flatMap(playwrightFailures),
]
