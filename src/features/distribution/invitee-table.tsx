import type {Invitee} from '#contract/users.ts'
import {formatDateTime} from '#domain/date-time.ts'
import {DataTable, type TableColumn} from '#ui/table/data-table.tsx'
import type {Sorting} from '#ui/table/sorting.ts'
import {TimeText} from '#ui/time-text.tsx'
import {useText} from '#ui/text.tsx'
import styles from './invitee-table.module.css'

/** Keys of the wire by which invitees can be put in order. */
export const inviteeSortKeys = ['created_at'] as const

/** The name an invitee is shown by. A server that knows no name may send an empty one, or the address instead. */
const nameOf = ({nickname, username, email}: Invitee) => [nickname, username, email].find((name) => name) ?? '–'

type InviteeTableProps = {invitees: readonly Invitee[]; isStale: boolean; sorting: Sorting}

/** Users who joined with the link: the server masks their address, and shows nothing else (design/screens §10). */
export function InviteeTable({invitees, isStale, sorting}: InviteeTableProps) {
  const text = useText()
  const columns: TableColumn<Invitee, (typeof inviteeSortKeys)[number]>[] = [
    {
      id: 'name',
      label: text('console.name'),
      isName: true,
      cell: (invitee) => <InviteeName name={nameOf(invitee)} email={invitee.email ?? ''} />,
    },
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

/** The address is said once: below the name, or instead of it. */
function InviteeName({name, email}: {name: string; email: string}) {
  return (
    <span className={styles.invitee}>
      <bdi>{name}</bdi>
      {email !== '' && email !== name && (
        <bdi dir="ltr" className={styles.email}>
          {email}
        </bdi>
      )}
    </span>
  )
}
