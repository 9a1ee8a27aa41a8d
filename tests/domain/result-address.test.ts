import {describe, expect, test} from 'vitest'
import {resultAddress} from '#domain/result-address.ts'

const page = 'https://atrium.test/flux'

test.each([
  ['https://cdn.test/a.png', 'https://cdn.test/a.png'],
  ['/services/files/a.png', 'https://atrium.test/services/files/a.png'],
  ['blob:https://atrium.test/a', 'blob:https://atrium.test/a'],
  ['https://169.254.cdn.test/a.png', 'https://169.254.cdn.test/a.png'],
])('%s is shown', (address, whole) => {
  expect(resultAddress(address, page)).toBe(whole)
})

describe('is not shown', () => {
  test.each([
    ['javascript:alert(1)'],
    ['data:text/html,foo'],
    ['//cdn.test/a.png'],
    [' \t//cdn.test/a.png'],
    ['/\t/cdn.test/a.png'],
    ['/\\cdn.test/a.png'],
    ['\\\\cdn.test/a.png'],
    ['http://169.254.169.254/latest/meta-data'],
    ['http://0xa9fea9fe/'],
    ['http://[fe80::1]/a.png'],
    ['http://[febf::1]/a.png'],
    ['http://[::ffff:169.254.1.1]/a.png'],
    ['http://'],
  ])('%j', (address) => {
    expect(resultAddress(address, page)).toBeUndefined()
  })
})

test('a page that came from a link-local address shows its own files', () => {
  expect(resultAddress('/a.png', 'http://169.254.7.7:4000/flux')).toBe('http://169.254.7.7:4000/a.png')
})
