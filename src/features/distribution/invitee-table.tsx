import type {Invitee} from '#contract/management.ts'
import {formatDateTime} from '#domain/date-time.ts'
import {DataTable, type Column} from '#ui/table/data-table.tsx'
import {TimeText} from '#ui/time-text.tsx'
import {useText} from '#ui/text.tsx'

/** Users who joined with the link: the server masks their address, and nothing else of them is shown (design/screens §10). */
export function InviteeTable({invitees, isStale}: {invitees: readonly Invitee[]; isStale: boolean}) {
  const text = useText()
  const columns: Column<Invitee>[] = [
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
    />
  )
}
