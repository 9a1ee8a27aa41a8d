import {afterEach, expect, test, vi} from 'vitest'
import {isFirstAnnouncement} from '#browser/announced-orders.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  sessionStorage.clear()
})

test('an order is announced once in a tab', () => {
  expect([
    isFirstAnnouncement('a'),
    isFirstAnnouncement('b'),
    isFirstAnnouncement('a'),
    isFirstAnnouncement('b'),
  ]).toEqual([true, true, false, false])
})

test('where storage is blocked an order is announced again', () => {
  vi.spyOn(console, 'warn').mockReturnValue()
  vi.stubGlobal('sessionStorage', {
    getItem: () => {
      throw new Error('blocked')
    },
  })
  expect([isFirstAnnouncement('a'), isFirstAnnouncement('a')]).toEqual([true, true])
})
