import {createDistributionApi} from '#api/distribution.ts'
import type {DistributionHistory} from '#contract/distribution.ts'
import {ShortId} from '#features/console/short-id.tsx'
import {RewardTable, rewardSortKeys} from '#features/distribution/reward-table.tsx'
import {useAppInfo} from '../app-info.tsx'
import {ReferralList} from './referral-list.tsx'
import {usePrice} from './referral-page.tsx'

/** `/distribution/history` */
export function RewardsRoute() {
  const price = usePrice()
  const {services} = useAppInfo()
  return (
    <ReferralList<DistributionHistory>
      title="index.rewards"
      sortKeys={rewardSortKeys}
      read={(page, signal) => services.client(createDistributionApi).histories(page, signal)}
      empty={{title: 'distribution.noRewards', text: 'distribution.noRewardsHelp'}}
      rows={(rewards, list) => (
        <RewardTable rewards={rewards} {...list} price={price} shortId={(id) => <ShortId id={id} />} />
      )}
    />
  )
}
