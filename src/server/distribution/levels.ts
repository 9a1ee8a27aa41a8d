import type {DistributionLevel} from '#contract/distribution.ts'
import type {Config} from '../config.ts'
import {namedUuid} from '../platform/named-uuid.ts'

/** The levels of the installation (`DISTRIBUTION_LEVELS`) on the wire, ascending; the first begins at 0. */
export const levelsOf = ({distributionLevels}: Pick<Config, 'distributionLevels'>): DistributionLevel[] =>
  distributionLevels.map(({threshold, percentage}, index) => ({
    id: namedUuid(`distribution-level/${index + 1}`),
    level: index + 1,
    threshold: Number(threshold),
    percentage,
  }))

/** The highest level whose threshold is reached. A user without a sale has the first one. */
export const levelAt = (config: Pick<Config, 'distributionLevels'>, price: number): DistributionLevel | undefined =>
  levelsOf(config).findLast(({threshold}) => threshold <= price)
