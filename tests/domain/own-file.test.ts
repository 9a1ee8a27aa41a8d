import {expect, test} from 'vitest'
import {ownFileId} from '#domain/own-file.ts'

const page = 'https://hub.test/flux'
const id = 'abcdefghijklmnopqrst_-'

test.each([
  [
    'of a service below the page',
    `https://hub.test/services/platform/api/v1/files/${id}/a.png`,
    '/services/platform',
    id,
  ],
  ['of a service of its own', `https://platform.test/api/v1/files/${id}/a%20b.png?x=1`, 'https://platform.test', id],
  ['elsewhere', `https://cdn.test/api/v1/files/${id}/a.png`, 'https://platform.test', undefined],
  ['of another path', `https://platform.test/files/${id}/a.png`, 'https://platform.test', undefined],
  ['of no file', `https://platform.test/api/v1/files/${id}`, 'https://platform.test', undefined],
  ['no address', 'foo', 'https://platform.test', undefined],
])('the id in an address %s', (_, address, platform, expected) => {
  expect(ownFileId(address, platform, page)).toBe(expected)
})
