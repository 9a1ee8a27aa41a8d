import type {DistributionLevel} from '#contract/distribution.ts'
import {microOf, microText} from './exact-amount.ts'

export type LevelProgress = {
  current: DistributionLevel | undefined
  /** None at the highest level. */
  next: DistributionLevel | undefined
  /** Whole percent of the way from the current threshold to the next one; 100 at the highest level. */
  percent: number
  /** US dollars of sales until the next level; 0 at the highest. */
  missing: number
}

/** The position of referred sales of `price` US dollars between levels (contract/screens §6), in millionths. */
export function levelProgress(levels: readonly DistributionLevel[], price: number): LevelProgress {
  const sales = microOf(price)
  const ascending = levels
    .map((level) => ({level, from: microOf(level.threshold)}))
    .sort((one, other) => (one.from < other.from ? -1 : 1))
  const reachedLevel = ascending.findLast(({from}) => from <= sales)
  const ahead = ascending.find(({from}) => from > sales)
  const current = reachedLevel?.level
  if (ahead === undefined) return {current, next: undefined, percent: 100, missing: 0}
  const start = reachedLevel?.from ?? 0n
  const percent = Number(((sales - start) * 100n) / (ahead.from - start))
  return {current, next: ahead.level, percent, missing: Number(microText(ahead.from - sales))}
}
