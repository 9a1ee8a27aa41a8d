import {use} from 'react'
import {MoreIcon} from '#ui/icons.tsx'
import {ExportIcon, ImportIcon, LabelIcon, SelectIcon} from '#ui/list-icons.tsx'
import {Menu} from '#ui/menu.tsx'
import type {MenuEntry, MenuItem} from '#ui/menu-entry.ts'
import {useText} from '#ui/text.tsx'
import {LabelColours, type ListFilter} from './labels.ts'
import styles from './rows.module.css'

type ListMenuProps = {
  filter: ListFilter
  /** All labels; `undefined` where the server keeps neither labels nor an archive. */
  labels: readonly string[] | undefined
  onFilter: (filter: ListFilter) => void
  onSelect: () => void
  /** Undefined where the server takes no conversations. */
  onImport: (() => void) | undefined
  /** Undefined until all conversations are read: a file would lack some. */
  onExportAll: (() => void) | undefined
  onLabels: () => void
}

/** Beside the search: which conversations are listed, and the way to choose several. */
export function ListMenu({filter, labels, onFilter, onSelect, onImport, onExportAll, onLabels}: ListMenuProps) {
  const text = useText()
  const choice = (id: string, label: string, next: ListFilter, isChecked: boolean): MenuItem => ({
    id,
    label,
    checked: isChecked,
    onSelect: () => onFilter(next),
  })
  const views: MenuEntry[] =
    labels === undefined
      ? []
      : [
          {
            kind: 'group',
            id: 'show',
            label: text('chat.severalShow'),
            items: [
              choice('all', text('chat.severalShowAll'), {show: 'all'}, filter.show === 'all'),
              choice('archive', text('chat.archiveView'), {show: 'archive'}, filter.show === 'archive'),
              ...labels.map((label) => ({
                ...choice(
                  `label/${label}`,
                  label,
                  {show: 'label', label},
                  filter.show === 'label' && filter.label === label,
                ),
                icon: <LabelMark label={label} />,
              })),
            ],
          },
          {kind: 'separator', id: 'views'},
        ]
  return (
    <Menu
      label={text('chat.severalMenu')}
      align="end"
      entries={[
        ...views,
        ...(labels === undefined || labels.length === 0
          ? []
          : [{id: 'labels', label: text('chat.labelEdit'), icon: <LabelIcon />, onSelect: onLabels}]),
        {id: 'select', label: text('chat.severalSelect'), icon: <SelectIcon />, onSelect},
        ...(onImport === undefined
          ? []
          : [{id: 'import', label: text('chat.importOffer'), icon: <ImportIcon />, onSelect: onImport}]),
        {
          id: 'export',
          label: text('chat.exportAll'),
          icon: <ExportIcon />,
          disabled: onExportAll === undefined,
          ...(onExportAll && {onSelect: onExportAll}),
        },
      ]}
      trigger={(props) => (
        <button {...props} type="button" className={styles.menu} aria-label={text('chat.severalMenu')}>
          <MoreIcon />
        </button>
      )}
    />
  )
}

/** A label's colour; its name stands beside it. */
export const LabelMark = ({label}: {label: string}) => (
  <span className={styles.labelMark} style={{background: use(LabelColours).get(label)}} />
)
