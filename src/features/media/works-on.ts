import type {MediaTool} from '#contract/media/media-tool.ts'
import type {TaskCard} from '#machines/tasks/tasks.selectors.ts'
import type {AnyForm} from './any-tool.ts'
import {cardOf, isFailed} from './feed/card.ts'
import {sourcesOf} from './result-actions.ts'

const indexes = new WeakMap<readonly TaskCard[], Map<unknown, AnyForm[]>>()

/** The requests of a list that did not fail, by the results they work on. Made once while the list stays the same. */
export function worksOn(
  tool: Pick<MediaTool, 'identity' | 'reuse'>,
  listed: readonly TaskCard[],
): ReadonlyMap<unknown, readonly AnyForm[]> {
  const known = indexes.get(listed)
  if (known !== undefined) return known
  const index = new Map<unknown, AnyForm[]>()
  for (const each of listed) {
    const card = cardOf(tool, each)
    if (isFailed(card)) continue
    for (const key of sourcesOf(card.request)) {
      const name = card.request[key]
      const others = index.get(name)
      if (others === undefined) index.set(name, [card.request])
      else others.push(card.request)
    }
  }
  indexes.set(listed, index)
  return index
}
