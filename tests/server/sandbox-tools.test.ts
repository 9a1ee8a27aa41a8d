import {describe, expect, test} from 'vitest'
import {ArithmeticError, evaluate, findCalculation, formatNumber} from '#server/providers/sandbox/tools/arithmetic.ts'
import {answerDate} from '#server/providers/sandbox/tools/dates.ts'
import {textStatistics} from '#server/providers/sandbox/tools/text-statistics.ts'
import {convertUnits} from '#server/providers/sandbox/tools/units.ts'

describe('arithmetic', () => {
  test.each<[string, string]>([
    ['1 + 2 * 3', '7'],
    ['(1 + 2) * 3', '9'],
    ['2 ^ 3 ^ 2', '512'],
    ['-2 ^ 2', '-4'],
    ['2 ^ -1', '0.5'],
    ['2 ** 10', '1,024'],
    ['7 % 3', '1'],
    ['50% * 80', '40'],
    ['80 + 5%', '80.05'],
    ['0.1 + 0.2', '0.3'],
    ['1,234,567 + 1', '1,234,568'],
    ['10 ÷ 4 × 2 − 1', '4'],
    ['5!', '120'],
    ['-(5 - 2)!', '-6'],
    ['sqrt(2)^2', '2'],
    ['max(1, 2, 3) - min(4, 5)', '-1'],
    ['round(2 * pi * 100) / 100', '6.28'],
    ['1e3 + .5', '1,000.5'],
    ['2^50', '1,125,899,906,842,624'],
    ['1 / 3', '0.333333333333'],
    ['1e-9 * 2', '2e-9'],
  ])('%s = %s', (expression, expected) => {
    expect(formatNumber(evaluate(expression))).toBe(expected)
  })

  test.each([
    ['1 / 0', 'Division by zero'],
    ['5 % 0', 'Division by zero'],
    ['sqrt(-1)', 'no real result'],
    ['9^9^9', 'too large'],
    ['1 +', 'ends too early'],
    ['(1', 'missing'],
    ['1 2', 'where an operator'],
    ['* 2', 'number missing'],
    ['foo(2)', 'not a function'],
    ['constructor(2)', 'not a function'],
    ['process.exit()', 'not part of a calculation'],
    ['171!', '0 to 170'],
    ['sqrt(1, 2)', 'takes one number'],
    ['('.repeat(60) + '1' + ')'.repeat(60), 'too deeply'],
    ['1+'.repeat(300) + '1', 'longer than'],
  ])('%s is refused with the reason', (expression, reason) => {
    expect(() => evaluate(expression)).toThrow(ArithmeticError)
    expect(() => evaluate(expression)).toThrow(reason)
  })

  test('agrees with JavaScript on many random calculations', () => {
    let seed = 7
    const next = (bound: number) => (seed = (seed * 48_271) % 2_147_483_647) % bound
    const apply = [
      (left: number, right: number) => left + right,
      (left: number, right: number) => left - right,
      (left: number, right: number) => left * right,
      (left: number, right: number) => left / right,
    ]
    const generate = (depth: number): {text: string; value: number} => {
      if (depth === 0 || next(4) === 0) {
        const value = next(100) + 1
        return {text: String(value), value}
      }
      const [left, right, operator] = [generate(depth - 1), generate(depth - 1), next(4)]
      return {
        text: `(${left.text} ${'+-*/'[operator]} ${right.text})`,
        value: apply[operator]?.(left.value, right.value) ?? Number.NaN,
      }
    }
    const samples = Array.from({length: 500}, () => generate(5)).filter(
      ({value, text}) => Number.isFinite(value) && text.length <= 400,
    )
    expect(samples.length).toBeGreaterThan(400)
    for (const {text, value} of samples) expect([text, evaluate(text)]).toEqual([text, value])
  })

  test.each<[string, string | undefined]>([
    ['What is 2 + 2?', '2 + 2'],
    ['what’s up', undefined],
    ['12.5% of 80', '12.5% * 80'],
    ['3 x 4 =', '3 * 4'],
    ['7 plus 3 times 2', '7 + 3 * 2'],
    ['sqrt(16)', 'sqrt(16)'],
    ['42', undefined],
    ['2026-11-20', undefined],
    ['555-123-4567', undefined],
    ['and/or', undefined],
    ['Is 3 > 2?', undefined],
    ['How many r in strawberry - 3', undefined],
  ])('finds in %j: %j', (question, expected) => {
    expect(findCalculation(question)).toBe(expected)
  })
})

test.each<[number, string]>([
  [0, '0'],
  [-0, '0'],
  [1234567.891, '1,234,567.891'],
  [-1000, '-1,000'],
  [2 ** 60, '1.15292150461e18'],
  [1e21, '1e21'],
  [-2.5e-9, '-2.5e-9'],
  [0.000001, '0.000001'],
])('writes %s as %s', (value, expected) => {
  expect(formatNumber(value)).toBe(expected)
})

test.each<[string, string | undefined]>([
  ['5 km to miles', '5 km = **3.106855961 mi**'],
  ['convert 100 °F to celsius', '100 °F = **37.77777778 °C**'],
  ['-40 c in f', '-40 °C = **-40 °F**'],
  ['What is 1,000 feet in metres?', '1,000 ft = **304.8 m**'],
  ['how many minutes in 3 hours', '3 h = **180 min**'],
  ['how many feet are in a mile?', '1 mi = **5,280 ft**'],
  ['1 GiB to MB', '1 GiB = **1,073.741824 MB**'],
  ['1 GB in bytes', '1 GB = **1,000,000,000 B**'],
  ['2 cups to ml', '2 cup = **473.176473 ml**'],
  ['60 mph as km/h', '60 mph = **96.56064 km/h**'],
  ['0 K to °C', '0 K = **-273.15 °C**'],
  ['5 km to kg', '5 km is a length, kg a unit of mass: one cannot become the other.'],
  ['5 apples to oranges', undefined],
  ['go to sleep', undefined],
])('units: %s', (question, expected) => {
  expect(convertUnits(question)).toBe(expected)
})

test.each<[string, string | undefined]>([
  ['days between 2026-01-01 and 2026-12-31', 'From 2026-01-01 to 2026-12-31: **364 days** (52 weeks and 0 days).'],
  ['how many days until 2027-01-01?', 'From 2026-11-20 to 2027-01-01: **42 days** (6 weeks and 0 days).'],
  ['2026-01-31 + 1 month', '1 month after 2026-01-31: **2026-02-28** (Saturday, February 28, 2026).'],
  ['2024-02-29 + 1 year', '1 year after 2024-02-29: **2025-02-28** (Friday, February 28, 2025).'],
  ['90 days after 2026-11-20', '90 days after 2026-11-20: **2027-02-18** (Thursday, February 18, 2027).'],
  ['2 weeks before tomorrow', '2 weeks before 2026-11-21: **2026-11-07** (Saturday, November 7, 2026).'],
  ['what day is 2026-11-20?', '**2026-11-20** (Friday, November 20, 2026), day 324 of the year.'],
  ['today', '**2026-11-20** (Friday, November 20, 2026), day 324 of the year.'],
  ['unix 1700000000', '1700000000 is **2023-11-14 22:13:20** UTC.'],
  ['days until 2026-02-30', 'The calendar has no such day. Write days as YYYY-MM-DD.'],
  ['2026-01-01 + 999999 years', 'The calendar has no such day. Write days as YYYY-MM-DD.'],
  ['how was your day', undefined],
  ['2026', undefined],
])('days: %s', (question, expected) => {
  expect(answerDate(question, new Date('2026-11-20T23:59:00Z'))).toBe(expected)
})

test('text statistics count what readers see', () => {
  expect(textStatistics('Hello hello, wörld 👩‍👩‍👧‍👦!\nSecond line. Hello again.\n\nEnd')).toBe(
    [
      '| Text | |',
      '|---|---:|',
      '| Characters | 52 |',
      '| Characters without space | 43 |',
      '| Words | 8 |',
      '| Sentences | 4 |',
      '| Paragraphs | 2 |',
      '| Lines | 4 |',
      '| UTF-8 bytes | 77 |',
      '| Reading time | 3 s |',
      '',
      'Most frequent: hello (3).',
    ].join('\n'),
  )
})
