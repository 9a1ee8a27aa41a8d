import type {DistributionLevel} from '#contract/distribution.ts'

export type LevelProgress = {
  current: DistributionLevel | undefined
  /** None at the highest level. */
  next: DistributionLevel | undefined
  /** Whole percent of the way from the current threshold to the next one; 100 at the highest level. */
  percent: number
  /** US dollars of sales until the next level; 0 at the highest. */
  missing: number
}

/** Where referred sales of `price` US dollars stand between two levels (contract/screens §6). */
export function levelProgress(levels: readonly DistributionLevel[], price: number): LevelProgress {
  const ascending = [...levels].sort((one, other) => Number(one.threshold) - Number(other.threshold))
  const current = ascending.findLast(({threshold}) => Number(threshold) <= price)
  const next = ascending.find(({threshold}) => Number(threshold) > price)
  if (next === undefined) return {current, next, percent: 100, missing: 0}
  const start = Number(current?.threshold ?? 0)
  const end = Number(next.threshold)
  return {current, next, percent: Math.floor(((price - start) / (end - start)) * 100), missing: end - price}
}
