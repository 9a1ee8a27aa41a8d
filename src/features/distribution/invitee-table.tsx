import type {Invitee} from '#contract/users.ts'
import {formatDateTime} from '#domain/date-time.ts'
import {DataTable, type Column} from '#ui/table/data-table.tsx'
import type {Sorting} from '#ui/table/sorting.ts'
import {TimeText} from '#ui/time-text.tsx'
import {useText} from '#ui/text.tsx'

/** Keys of the wire by which invitees can be put in order. */
export const inviteeSortKeys = ['created_at'] as const

type InviteeTableProps = {invitees: readonly Invitee[]; isStale: boolean; sorting: Sorting}

/** Users who joined with the link: the server masks their address, and nothing else of them is shown (design/screens §10). */
export function InviteeTable({invitees, isStale, sorting}: InviteeTableProps) {
  const text = useText()
  const columns: Column<Invitee, (typeof inviteeSortKeys)[number]>[] = [
    {
      id: 'name',
      label: text('console.name'),
      isName: true,
      cell: ({nickname, username}) => <bdi>{nickname ?? username ?? '–'}</bdi>,
    },
    {id: 'email', label: text('index.profileEmail'), cell: ({email}) => <bdi dir="ltr">{email ?? '–'}</bdi>},
    {
      id: 'joined',
      label: text('index.profileJoined'),
      sort: {key: 'created_at', kind: 'created'},
      cell: ({date_joined: at}) => (at == null ? '–' : <TimeText value={at} format={formatDateTime} />),
    },
  ]
  return (
    <DataTable
      label={text('index.invitees')}
      columns={columns}
      rows={invitees}
      keyOf={({id}) => id}
      isStale={isStale}
      sorting={sorting}
    />
  )
}
