import {expect, test} from 'vitest'
import {readingRest} from '#browser/streams/reading-rest.ts'

const page = (visibilityState: DocumentVisibilityState) =>
  // as: the only property that is read
  ({visibilityState}) as Document

test('a visible page is read twelve times a second; what a hidden one gets is read as it comes', () => {
  const rest = readingRest(page('visible'))
  expect(1_000 / rest).toBeGreaterThan(11)
  expect(1_000 / rest).toBeLessThan(13)
  expect(readingRest(page('hidden'))).toBe(0)
})
