import {mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, expect, test} from 'vitest'
import {bundledRates, exchangeRateOf, readExchangeRates} from '#server/platform/exchange-rates.ts'
import {StartFailure} from '#server/start-failure.ts'

const folder = mkdtempSync(join(tmpdir(), 'atrium-rates-'))
afterAll(() => rmSync(folder, {recursive: true}))
const write = (text: string) => {
  const path = join(folder, 'rates.json')
  writeFileSync(path, text)
  return path
}

test("without a file the table is the bundled one, with the specification's twelve currencies and gbp", () => {
  expect(readExchangeRates(undefined)).toBe(bundledRates)
  expect(Object.keys(bundledRates.usd).sort()).toEqual(
    ['cny', 'eur', 'gbp', 'jpy', 'krw', 'pln', 'rsd', 'rub', 'sar', 'sek', 'uah', 'usd'].sort(),
  )
})

test('a file replaces the whole table; the dollar stays one', () => {
  const rates = readExchangeRates(write('{"date": "2026-05-01", "usd": {"eur": 0.5, "chf": 0.25, "usd": 7}}'))
  expect(rates).toEqual({date: '2026-05-01', usd: {eur: 0.5, chf: 0.25, usd: 1}})
  expect(exchangeRateOf(rates, 'chf', 'eur')).toBe(2)
  expect(() => exchangeRateOf(rates, 'usd', 'cny')).toThrow('There is no exchange rate for cny here.')
})

test.each([
  ['not JSON', '{', 'is not JSON'],
  ['no date', '{"usd": {}}', 'date is wrong'],
  ['a rate of zero', '{"date": "2026-05-01", "usd": {"eur": 0}}', 'usd.eur is wrong'],
  ['a rate as text', '{"date": "2026-05-01", "usd": {"eur": "1"}}', 'usd.eur is wrong'],
  ['an unknown key', '{"date": "2026-05-01", "usd": {}, "foo": 1}', 'content is wrong'],
  ['a currency in capitals', '{"date": "2026-05-01", "usd": {"EUR": 1}}', 'usd.EUR is wrong'],
])('a file with %s stops the start with a sentence', (_, text, sentence) => {
  const path = write(text)
  expect(() => readExchangeRates(path)).toThrow(StartFailure)
  expect(() => readExchangeRates(path)).toThrow(/^EXCHANGE_RATES_FILE \(/)
  expect(() => readExchangeRates(path)).toThrow(sentence)
})

test('a file that is not there stops the start as well', () => {
  expect(() => readExchangeRates(join(folder, 'none.json'))).toThrow('cannot be read: there is no such file.')
})

test.each(['toString', '__proto__', 'constructor'])('%s is no currency', (name) => {
  expect(() => exchangeRateOf(bundledRates, 'usd', name)).toThrow('There is no exchange rate')
})
