/**
 * `time` informs; `bytes` and `count` over their budget fail. A figure without a budget informs as well. `budget` is
 * the most, `least` the least that it may be.
 * @typedef {{name: string, kind: 'bytes' | 'count' | 'time', value: number, unit: string, budget?: number, least?:
 * number}} Figure
 * @typedef {(bench: import('./installation.mjs').Bench) => Promise<Figure[]>} Part
 */

/** @param {Figure} figure */
const isMissed = ({value, budget = Infinity, least = -Infinity}) => !(value <= budget && value >= least)
/** @param {Figure} figure */
export const isOver = (figure) => figure.kind !== 'time' && isMissed(figure)

const digits = (/** @type {number} */ value) =>
  Math.abs(value) >= 100 || Number.isInteger(value) ? Math.round(value).toLocaleString('en') : value.toFixed(1)
const amount = (/** @type {number} */ value, /** @type {string} */ unit) => `${digits(value)}${unit && ` ${unit}`}`

/** @param {Figure} figure */
const bound = ({budget, least, unit}) => {
  if (budget !== undefined && least !== undefined) return `${digits(least)} to ${amount(budget, unit)}`
  if (budget !== undefined) return `≤ ${amount(budget, unit)}`
  return least === undefined ? '–' : `≥ ${amount(least, unit)}`
}
/** @param {Figure} figure */
const verdict = (figure) => {
  if (figure.budget === undefined && figure.least === undefined) return ''
  return isMissed(figure) ? 'over' : 'ok'
}

/** Milliseconds that inform. @param {string} name @param {number} value @param {number} [budget] @returns {Figure} */
export const time = (name, value, budget) => ({
  name,
  kind: 'time',
  value,
  unit: 'ms',
  ...(budget === undefined ? {} : {budget}),
})

/** A figure to inform. @param {string} name @param {number} value @param {string} unit @returns {Figure} */
export const figure = (name, value, unit) => ({name, kind: 'time', value, unit})

/** Markdown, so that it reads here and in docs/benchmarks.md. @param {Figure[]} figures */
export const tableOf = (figures) =>
  [
    '| Figure | Measured | Budget | |',
    '|---|---:|---:|---|',
    ...figures.map(
      (figure) => `| ${figure.name} | ${amount(figure.value, figure.unit)} | ${bound(figure)} | ${verdict(figure)} |`,
    ),
  ].join('\n')

/** The value below which `share` (0…1) of them lie. @param {readonly number[]} values @param {number} share */
export const quantile = (values, share) => {
  const ascending = values.toSorted((a, b) => a - b)
  return ascending[Math.min(ascending.length - 1, Math.ceil(share * ascending.length) - 1)] ?? Number.NaN
}
/** @param {readonly number[]} values */
export const median = (values) => quantile(values, 0.5)
