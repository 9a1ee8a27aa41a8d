import {createDistributionApi} from '#api/distribution.ts'
import type {DistributionHistory} from '#contract/distribution.ts'
import {ListBody} from '#features/console/list-body.tsx'
import {ShortId} from '#features/console/short-id.tsx'
import {CopyLink} from '#features/distribution/invite-link.tsx'
import {RewardTable} from '#features/distribution/reward-table.tsx'
import {selectLink} from '#machines/short-link/short-link.machine.ts'
import {EmptyState} from '#ui/empty-state.tsx'
import {InviteIcon} from '#ui/icons.tsx'
import {Pager} from '#ui/table/pager.tsx'
import {useText} from '#ui/text.tsx'
import {useAppInfo} from '../app-info.tsx'
import {pagerLinks} from '../console/page-link.tsx'
import {pageNumber, useAddressList} from '../console/use-address-list.ts'
import {pageSize, ReferralPage, useInviteLink, usePrice} from './referral-page.tsx'

const keys = ['page']
const pagerLink = pagerLinks('/distribution/history')

/** `/distribution/history` */
export function RewardsRoute() {
  const text = useText()
  const price = usePrice()
  const link = useInviteLink()
  const {services} = useAppInfo()
  const list = useAddressList<DistributionHistory>({
    keys,
    read: async (query, signal) => {
      const offset = (pageNumber(query) - 1) * pageSize
      const {items, count} = await services
        .client(createDistributionApi)
        .histories({limit: pageSize, offset, ordering: '-created_at'}, signal)
      return {items, total: count}
    },
  })
  return (
    <ReferralPage title="index.rewards">
      <ListBody
        snapshot={list.snapshot}
        onRetry={() => list.send({type: 'list.refresh'})}
        empty={
          <EmptyState
            icon={<InviteIcon size={20} />}
            title={text('distribution.noRewards')}
            text={text('distribution.noRewardsHelp')}
            action={<CopyLink link={selectLink(link.snapshot)} />}
          />
        }
        rows={({items, total}, isStale) => (
          <>
            <RewardTable rewards={items} isStale={isStale} price={price} shortId={(id) => <ShortId id={id} />} />
            <Pager page={pageNumber(list.query)} pageSize={pageSize} total={total} link={pagerLink} />
          </>
        )}
      />
    </ReferralPage>
  )
}
