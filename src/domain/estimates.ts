import type {ApiEstimation, ServiceApi} from '#contract/usage.ts'
import {microOf} from './exact-amount.ts'

/** The calls of one API that credits pay. `count` is rounded down. */
export type Estimate = Pick<ApiEstimation, 'cost' | 'remark' | 'comparisons'> & {
  key: string
  name: string
  count: bigint
}

/** How many calls of each API so many credits pay (contract/screens §5), for every API that says what a call costs. */
export const estimatesOf = (apis: readonly ServiceApi[], credits: number): Estimate[] =>
  apis.flatMap(({id, title, name: apiName, estimation = []}) =>
    estimation.flatMap(({name, cost, remark, comparisons}, index) => {
      const micro = microOf(cost)
      if (micro <= 0n) return []
      const count = microOf(credits) / micro
      // too dear for these credits
      if (count === 0n) return []
      const shownName = [title ?? apiName ?? id, name].filter((part) => part != null && part !== '').join(' · ')
      return [{key: `${id}:${index}`, name: shownName, count, cost, remark, comparisons}]
    }),
  )
