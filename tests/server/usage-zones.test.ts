import {expect, test} from 'vitest'
import {zoneFor} from '#server/usage/usage-zones.ts'

/*
 * A database of a system without the older names (`tzdata-legacy` of Debian 13), or one that is older than a name. The
 * sums in zones that it knows are those of usage-sums.test.ts.
 */

const modern = new Set(['utc', 'asia/kolkata', 'europe/kyiv', 'america/argentina/buenos_aires', 'asia/ho_chi_minh'])
const older = new Set(['utc', 'asia/calcutta', 'europe/kiev', 'america/buenos_aires'])

test.each([
  ['Asia/Calcutta', modern, 'asia/kolkata'],
  ['Europe/Kiev', modern, 'europe/kyiv'],
  ['Asia/Saigon', modern, 'asia/ho_chi_minh'],
  ['America/Buenos_Aires', modern, 'america/argentina/buenos_aires'],
  ['Europe/Kyiv', older, 'europe/kiev'],
  ['Asia/Kolkata', older, 'asia/calcutta'],
])('%s is counted as the database names it, and keeps its name in the answer', (name, known, counted) => {
  const {inDatabase, answered} = zoneFor(name, known)!
  expect([inDatabase.toLowerCase(), answered]).toEqual([counted, name])
})

test('a zone that the database does not know by any name is answered in UTC', () => {
  expect(zoneFor('Asia/Tokyo', modern)).toEqual({inDatabase: 'UTC', answered: 'UTC'})
})

test.each(['Mars/Olympus', '+05:30', "UTC'; drop table usages; --", 'EST5EDT4', ''])('%s is no zone', (name) => {
  expect(zoneFor(name, modern)).toBeUndefined()
})
