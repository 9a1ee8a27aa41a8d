import type {ApiKey} from '#domain/api-key.ts'
import {formatDateTime} from '#domain/date-time.ts'
import {mostDecimals} from '#domain/exact-amount.ts'
import {Button} from '#ui/button.tsx'
import {MoneyText} from '#ui/money-text.tsx'
import {DataTable, type TableColumn} from '#ui/table/data-table.tsx'
import type {Sorting} from '#ui/table/sorting.ts'
import {StateChip} from '#ui/table/state-chip.tsx'
import {TimeText} from '#ui/time-text.tsx'
import {useText, type Text} from '#ui/text.tsx'
import {KeyToken, MaskedToken, type KeyActions} from './key-token.tsx'
import styles from './key-table.module.css'

/** The name of a key, else its last characters. */
export const keyName = (text: Text, {name, host, masked}: ApiKey): string =>
  name ?? (host === undefined ? (masked?.slice(-5) ?? text('credential.unnamed')) : text('credential.browserKey'))

/** Keys of the wire by which API keys can be put in order. */
export const keySortKeys = ['created_at', 'used_amount'] as const

type KeyTableProps = KeyActions & {keys: readonly ApiKey[]; isStale: boolean; sorting: Sorting}

/** The keys of an application (design/screens §5). A browser key is recognised, not shown: no program can use it. */
export function KeyTable({keys, isStale, sorting, ...actions}: KeyTableProps) {
  const text = useText()
  const columns = columnsOf(text, keys, actions)
  return (
    <DataTable
      label={text('index.credentials')}
      columns={columns}
      rows={keys}
      keyOf={({id}) => id}
      isStale={isStale}
      sorting={sorting}
    />
  )
}

type KeyColumn = TableColumn<ApiKey, (typeof keySortKeys)[number]>

function columnsOf(text: Text, keys: readonly ApiKey[], actions: KeyActions): KeyColumn[] {
  const digits = mostDecimals(keys.map(({usedAmount}) => usedAmount))
  const usedBy = ({usedAmount}: ApiKey) =>
    usedAmount === undefined ? null : <MoneyText amount={usedAmount} fractionDigits={digits} />
  const token = (key: ApiKey) =>
    // a new key is shown by its dialog
    key.host === undefined && key.id !== actions.snapshot.context.created ? (
      <KeyToken apiKey={key} name={keyName(text, key)} {...actions} />
    ) : (
      <MaskedToken masked={key.masked} />
    )
  return [
    {
      id: 'name',
      label: text('console.name'),
      isName: true,
      cell: (key) => <Name apiKey={key} />,
      cardCell: (key) => (
        <span className={styles.kind}>
          <Name apiKey={key} />
          <OwnChip apiKey={key} />
        </span>
      ),
    },
    {
      id: 'key',
      label: text('credential.key'),
      card: 'plain',
      cell: token,
      // a browser key is known by its host
      cardCell: (key) => key.host === undefined && token(key),
    },
    {
      id: 'kind',
      label: text('console.type'),
      card: 'plain',
      cell: (key) => <Kind apiKey={key} />,
      cardCell: ({host}) => host !== undefined && <Host host={host} />,
    },
    {
      id: 'created',
      label: text('credential.created'),
      isOneLine: true,
      sort: {key: 'created_at', kind: 'created'},
      cell: (key) => creationOf(key) ?? '–',
      cardCell: creationOf,
    },
    {
      id: 'used',
      label: text('console.used'),
      align: 'end',
      sort: {key: 'used_amount', kind: 'amount'},
      cell: (key) => usedBy(key) ?? '–',
      cardCell: usedBy,
    },
    {
      id: 'actions',
      label: text('console.actions'),
      isActions: true,
      cell: (key) => (
        <Button
          size="sm"
          aria-label={text('credential.revokeOf', {name: keyName(text, key)})}
          onClick={() => actions.send({type: 'key.revoke', id: key.id})}
        >
          {text('credential.revoke')}
        </Button>
      ),
    },
  ]
}

const creationOf = ({createdAt}: ApiKey) =>
  createdAt === undefined ? null : <TimeText value={createdAt} format={formatDateTime} />

function Name({apiKey: {name, host}}: {apiKey: ApiKey}) {
  const text = useText()
  if (name !== undefined) return <bdi>{name}</bdi>
  return (
    <span className={styles.unnamed}>{text(host === undefined ? 'credential.unnamed' : 'credential.browserKey')}</span>
  )
}

const Host = ({host}: {host: string}) => (
  <code dir="ltr" className={styles.host}>
    {host}
  </code>
)

function OwnChip({apiKey: {isOwn}}: {apiKey: ApiKey}) {
  const text = useText()
  return isOwn && <StateChip tone="neutral">{text('credential.thisBrowser')}</StateChip>
}

function Kind({apiKey}: {apiKey: ApiKey}) {
  const text = useText()
  if (apiKey.host === undefined) return text('credential.apiKey')
  return (
    <span className={styles.kind}>
      <Host host={apiKey.host} />
      <OwnChip apiKey={apiKey} />
    </span>
  )
}
