import type {Invitee} from '#contract/management.ts'
import {ListBody} from '#features/console/list-body.tsx'
import {CopyLink} from '#features/distribution/invite-link.tsx'
import {InviteeTable} from '#features/distribution/invitee-table.tsx'
import {selectLink} from '#machines/short-link/short-link.machine.ts'
import {EmptyState} from '#ui/empty-state.tsx'
import {InviteIcon} from '#ui/icons.tsx'
import {Pager} from '#ui/table/pager.tsx'
import {useText} from '#ui/text.tsx'
import {useAppInfo} from '../app-info.tsx'
import {pagerLinks} from '../console/page-link.tsx'
import {pageNumber, useAddressList} from '../console/use-address-list.ts'
import {pageSize, ReferralPage, useInviteLink} from './referral-page.tsx'

const keys = ['page']
const pagerLink = pagerLinks('/distribution/invitees')

/** `/distribution/invitees` */
export function InviteesRoute() {
  const text = useText()
  const link = useInviteLink()
  const {services} = useAppInfo()
  const list = useAddressList<Invitee>({
    keys,
    read: async (query, signal) => {
      const offset = (pageNumber(query) - 1) * pageSize
      const page = {limit: pageSize, offset, ordering: '-created_at'}
      const {items, count} = await services.management.users.invitees(page, signal)
      return {items, total: count}
    },
  })
  return (
    <ReferralPage title="index.invitees">
      <ListBody
        snapshot={list.snapshot}
        onRetry={() => list.send({type: 'list.refresh'})}
        empty={
          <EmptyState
            icon={<InviteIcon size={20} />}
            title={text('distribution.noInvitees')}
            text={text('distribution.noInviteesHelp')}
            action={<CopyLink link={selectLink(link.snapshot)} />}
          />
        }
        rows={({items, total}, isStale) => (
          <>
            <InviteeTable invitees={items} isStale={isStale} />
            <Pager page={pageNumber(list.query)} pageSize={pageSize} total={total} link={pagerLink} />
          </>
        )}
      />
    </ReferralPage>
  )
}
