import type {ReactNode} from 'react'
import type {PageQuery} from '#api/management-calls.ts'
import {ListBody} from '#features/console/list-body.tsx'
import {CopyLink} from '#features/distribution/invite-link.tsx'
import {selectLink} from '#machines/short-link/short-link.machine.ts'
import {EmptyState} from '#ui/empty-state.tsx'
import {InviteIcon} from '#ui/icons.tsx'
import {Pager} from '#ui/table/pager.tsx'
import {useText, type MessageId} from '#ui/text.tsx'
import type {Sorting} from '#ui/table/sorting.ts'
import {pagerLink} from '../console/page-link.tsx'
import {pageNumber, pageRequest, useAddressList} from '../console/use-address-list.ts'
import {ReferralPage, useInviteLink} from './referral-page.tsx'

/** Rows on a page of rewards and invitees (contract/screens §6). */
const pageSize = 10
const keys = ['page']

type ReferralListProps<Item> = {
  title: MessageId
  /** Keys of the wire by which rows can be put in order. */
  sortKeys: readonly string[]
  read: (page: PageQuery, signal: AbortSignal) => Promise<{items: Item[]; count: number}>
  /** Said instead of rows, with the link to invite people. */
  empty: {title: MessageId; text: MessageId}
  rows: (items: readonly Item[], list: {isStale: boolean; sorting: Sorting}) => ReactNode
}

/** A page of the referral programme that lists rows: rewards, people. */
export function ReferralList<Item>({title, sortKeys, read, empty, rows}: ReferralListProps<Item>) {
  const text = useText()
  const link = useInviteLink()
  const list = useAddressList<Item>({
    keys,
    sortKeys,
    pageSize,
    read: async (query, signal) => {
      const {items, count} = await read(pageRequest(query, pageSize), signal)
      return {items, total: count}
    },
  })
  return (
    <ReferralPage title={title}>
      <ListBody
        snapshot={list.snapshot}
        onRetry={() => list.send({type: 'list.refresh'})}
        empty={
          <EmptyState
            icon={<InviteIcon size={20} />}
            title={text(empty.title)}
            text={text(empty.text)}
            action={<CopyLink link={selectLink(link.snapshot)} />}
          />
        }
        rows={({items, total}, isStale) => (
          <>
            {rows(items, {isStale, sorting: list.sorting})}
            <Pager page={pageNumber(list.query)} pageSize={pageSize} total={total} link={pagerLink} />
          </>
        )}
      />
    </ReferralPage>
  )
}
