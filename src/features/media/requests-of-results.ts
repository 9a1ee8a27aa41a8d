import {weakMapMemoize} from 'reselect'
import type {Card} from '#machines/task-list/task-list.selectors.ts'
import type {AnyForm} from './any-tool.ts'
import {isFailed} from './feed/filter-cards.ts'
import {sourcesOf} from './result-actions.ts'

/** The requests that did not fail, by the results they work on. */
export const worksOn = weakMapMemoize((cards: readonly Card[]): ReadonlyMap<unknown, readonly AnyForm[]> => {
  const index = new Map<unknown, AnyForm[]>()
  for (const {request} of cards.filter((card) => !isFailed(card))) {
    for (const key of sourcesOf(request)) {
      const others = index.get(request[key])
      if (others === undefined) index.set(request[key], [request])
      else others.push(request)
    }
  }
  return index
})
