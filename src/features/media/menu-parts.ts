import {writeClipboard} from '#ui/clipboard.ts'
import type {MenuEntry, MenuGroup, MenuItem, Submenu} from '#ui/menu-entry.ts'
import type {MessageId, Text} from '#ui/text.tsx'
import type {Media} from './media.context.ts'

export type MenuParts = ReturnType<typeof createMenuParts>

/** Entries of a menu by the id of their label. Empty groups and missing values to copy have no entry. */
export function createMenuParts(text: Text, notify: Media['notify']) {
  const item = (label: MessageId, onSelect: () => void, more: Partial<MenuItem> = {}): MenuItem => ({
    id: label,
    label: text(label),
    onSelect,
    ...more,
  })
  const copyItem = (label: MessageId, value: string | undefined, help?: MessageId): MenuItem[] => {
    if (value === undefined || value === '') return []
    const copy = () => {
      writeClipboard(value).then(
        () => notify({kind: 'success', textId: 'common.copied'}),
        () => notify({kind: 'error', textId: 'common.copyFailed'}),
      )
    }
    return [item(label, copy, help === undefined ? {} : {description: text(help)})]
  }
  const submenu = (label: MessageId, entries: readonly MenuEntry[]): Submenu[] =>
    entries.length === 0 ? [] : [{kind: 'submenu', id: label, label: text(label), entries}]
  const group = (label: MessageId, items: MenuGroup['items']): MenuEntry[] =>
    items.length === 0 ? [] : [{kind: 'group', id: label, label: text(label), items}]
  return {item, copyItem, submenu, group}
}
