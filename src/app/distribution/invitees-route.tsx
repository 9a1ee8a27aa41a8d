import type {Invitee} from '#contract/management.ts'
import {InviteeTable, inviteeSortKeys} from '#features/distribution/invitee-table.tsx'
import {useAppInfo} from '../app-info.tsx'
import {ReferralList} from './referral-list.tsx'

/** `/distribution/invitees` */
export function InviteesRoute() {
  const {services} = useAppInfo()
  return (
    <ReferralList<Invitee>
      title="index.invitees"
      sortKeys={inviteeSortKeys}
      read={(page, signal) => services.management.users.invitees(page, signal)}
      empty={{title: 'distribution.noInvitees', text: 'distribution.noInviteesHelp'}}
      rows={(invitees, list) => <InviteeTable invitees={invitees} {...list} />}
    />
  )
}
