import {renderHook} from '@testing-library/react'
import {expect, test} from 'vitest'
import {useRootMark} from '#ui/use-root-mark.ts'

const isMarked = (name: string) => document.documentElement.hasAttribute(`data-${name}`)

test('the root is marked until the last component that marks it goes', () => {
  const first = renderHook(() => useRootMark('overlaid'))
  const second = renderHook(() => useRootMark('overlaid'))
  expect(isMarked('overlaid')).toBe(true)
  first.unmount()
  expect(isMarked('overlaid')).toBe(true)
  second.unmount()
  expect(isMarked('overlaid')).toBe(false)
})

test('a component marks the root only while its condition holds, and no mark of another name', () => {
  const {rerender} = renderHook(({isSet}) => useRootMark('dock', isSet), {initialProps: {isSet: false}})
  expect(isMarked('dock')).toBe(false)
  const other = renderHook(() => useRootMark('dock'))
  rerender({isSet: true})
  other.unmount()
  expect(isMarked('dock')).toBe(true)
  expect(isMarked('overlaid')).toBe(false)
  rerender({isSet: false})
  expect(isMarked('dock')).toBe(false)
})
