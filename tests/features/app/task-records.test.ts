import {expect, test} from 'vitest'
import {tool as flux} from '#contract/media/flux.ts'
import {toTaskRecord} from '#app/logic/media/task-records.ts'

test('a result at an address that must not be loaded has none, so nothing is offered with it', () => {
  const data = ['https://cdn.test/a.png', '//cdn.test/b.png', 'http://169.254.169.254/c.png'].map((image_url) => ({
    image_url,
  }))
  const {reading, status} = toTaskRecord(flux, {
    id: 'a',
    created_at: 1,
    request: {},
    response: {success: true, data},
  })
  // half of the results (domain/task-status)
  expect(status).toBe('checking')
  expect(reading.artifacts.map(({url}) => url)).toEqual(['https://cdn.test/a.png', undefined, undefined])
})
