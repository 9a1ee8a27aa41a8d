import {expect, test} from 'vitest'
import {requestHashOf} from '#server/runs/idempotency.ts'

test('a submit is the same whatever the order of its keys, at any depth', () => {
  const first = {prompt: 'owl', camera: {type: 'simple', config: {pan: 1, zoom: 2}}, images: [{a: 1, b: 2}, 'foo']}
  const second = {images: [{b: 2, a: 1}, 'foo'], camera: {config: {zoom: 2, pan: 1}, type: 'simple'}, prompt: 'owl'}
  expect(requestHashOf(second)).toBe(requestHashOf(first))
})

test.each([
  ['another value inside', {camera: {pan: 1}}, {camera: {pan: 2}}],
  ['another key inside', {camera: {pan: 1}}, {camera: {zoom: 1}}],
  ['a value at another depth', {camera: {pan: 1}}, {camera: {}, pan: 1}],
  ['another order of a list', {images: ['a', 'b']}, {images: ['b', 'a']}],
  ['a list instead of a record', {camera: {0: 'a'}}, {camera: ['a']}],
])('%s is another submit', (_what, first, second) => {
  expect(requestHashOf(second)).not.toBe(requestHashOf(first))
})
