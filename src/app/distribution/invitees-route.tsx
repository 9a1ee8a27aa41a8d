import {createUsersApi} from '#api/users.ts'
import type {Invitee} from '#contract/users.ts'
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
      read={(page, signal) => services.client(createUsersApi).invitees(page, signal)}
      empty={{title: 'distribution.noInvitees', text: 'distribution.noInviteesHelp'}}
      rows={(invitees, list) => <InviteeTable invitees={invitees} {...list} />}
    />
  )
}
