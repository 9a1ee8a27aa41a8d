import {readFileSync} from 'node:fs'
import {resolve} from 'node:path'
import {expect, test} from 'vitest'
import {faultsOfLock, leastVersions} from '#tools/lock-file.mjs'

const root = resolve(import.meta.dirname, '../..')
const read = (name: string) => JSON.parse(readFileSync(resolve(root, name), 'utf8'))

test('every package of this checkout is locked by its hash, in one version, none below its least one', () => {
  const lock = read('package-lock.json')
  expect(faultsOfLock(lock, read('package.json'))).toEqual([])
  for (const name of Object.keys(leastVersions)) expect(lock.packages).toHaveProperty([`node_modules/${name}`])
})

test.each([
  [{version: '1.0.0'}, ['node_modules/foo has no sha512 integrity']],
  [{version: '1.0.0', integrity: 'sha1-foo'}, ['node_modules/foo has no sha512 integrity']],
  [{link: true}, ['node_modules/foo is a link, so nobody knows what it holds']],
  [
    {version: '1.0.0', integrity: 'sha512-foo', resolved: 'http://bar.example/foo.tgz'},
    ['node_modules/foo comes from http://bar.example/foo.tgz, not by https'],
  ],
  [{version: '1.0.0', integrity: 'sha512-foo', resolved: 'https://bar.example/foo.tgz'}, []],
])('a package as %j', (entry, faults) => {
  expect(faultsOfLock({packages: {'': {}, 'node_modules/foo': entry}}, {})).toEqual(faults)
})

test.each([
  ['5.33.2', true],
  ['5.9.9', true],
  ['4.40.0', true],
  ['5.33.3', false],
  ['5.34.0', false],
  ['10.0.0', false],
])('xstate %s below another package is too old: %s', (version, isTooOld) => {
  const packages = {'node_modules/foo/node_modules/xstate': {version, integrity: 'sha512-foo'}}
  expect(faultsOfLock({packages}, {})).toHaveLength(isTooOld ? 1 : 0)
})

test.each([
  ['1.2.3', true],
  ['18.4.0-beta.17', true],
  ['npm:@foo/bar@0.7.2', true],
  ['^1.2.3', false],
  ['latest', false],
  ['https://bar.example/foo.tgz', false],
])('a manifest that asks for %s is exact: %s', (range, isExact) => {
  expect(faultsOfLock({packages: {}}, {dependencies: {foo: range}})).toHaveLength(isExact ? 0 : 1)
})
