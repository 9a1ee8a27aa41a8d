import {describe, expect, test} from 'vitest'
import {mergeMarks, mostFavourites} from '#domain/merge-favourites.ts'
import {countMarks, isMarked, markedTasks, noMarks, withMark, withoutTasks} from '#domain/favourites.ts'
import {readToolSlice, validateState} from '#domain/persisted-state.ts'

describe('favourites', () => {
  test('a mark is set and taken off, and the later press counts even where a clock goes back', () => {
    const on = withMark(noMarks, 'a', true, 50)
    expect([isMarked(on, 'a'), isMarked(on, 'b'), isMarked(on, undefined)]).toEqual([true, false, false])
    const off = withMark(on, 'a', false, 40)
    expect([off, withMark(off, 'a', true, 30)]).toEqual([{a: -51}, {a: 52}])
    expect(withMark(on, 'a', true, 99)).toBe(on)
  })

  test('two tabs come to the same marks, whichever hears of the other first', () => {
    const one = {a: 10, b: 20, c: -30}
    const other = {a: -11, b: 5, c: 29, d: 1}
    const merged = {a: -11, b: 20, c: -30, d: 1}
    expect(mergeMarks(one, other)).toEqual(merged)
    expect(mergeMarks(other, one)).toEqual(merged)
    expect(mergeMarks(one, {b: 20})).toBe(one)
  })

  test('a song is marked by its index, and its task counts as one with a favourite', () => {
    const marks = {'t/0': 5, 't/1': 6, u: -7}
    expect([[...markedTasks(marks)], countMarks(marks)]).toEqual([['t'], 2])
  })

  test('a deleted task takes all its marks with it', () => {
    const left = withoutTasks({t: 5, 't/1': 6, u: 7}, ['t'])
    expect([isMarked(left, 't'), isMarked(left, 't/1'), isMarked(left, 'u')]).toEqual([false, false, true])
    // also where another tab still has them
    expect(countMarks(mergeMarks({t: 5, 't/1': 6}, left))).toBe(1)
  })

  test('there are only so many: the newest stay', () => {
    const many = Object.fromEntries(Array.from({length: 900}, (_, at) => [`t${at}`, at % 2 === 0 ? at + 1 : -at - 1]))
    const kept = mergeMarks(noMarks, many)
    expect([countMarks(kept), isMarked(kept, 't898'), isMarked(kept, 't0')]).toEqual([mostFavourites, true, false])
    expect(Object.keys(kept).length).toBeLessThan(500)
    expect(mergeMarks(kept, many)).toBe(kept)
  })

  test('stored marks that are none cost only the marks', () => {
    const {state, broken} = validateState({flux: {mode: 'fast', favourites: {a: 'yes'}}, kling: {favourites: {a: 5}}})
    expect([broken, readToolSlice(state, 'flux'), readToolSlice(state, 'kling')]).toEqual([
      [],
      {mode: 'fast', favourites: {}},
      {favourites: {a: 5}},
    ])
  })
})
