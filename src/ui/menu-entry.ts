import type {ReactElement, ReactNode} from 'react'

export type MenuItem = {
  kind?: 'item'
  id: string
  label: string
  /** One line under the label, such as the reason why the item is disabled. */
  description?: string | undefined
  /** Says in a list of commands, which has no menu around it, how its label is meant: *Use in…* beside a tool. */
  use?: string | undefined
  icon?: ReactNode
  /** Small marks at the end of the row (capabilities, a shortcut). */
  end?: ReactNode
  /** Set on every item of a choice; exactly one is true. */
  checked?: boolean
  disabled?: boolean
  danger?: boolean
  /** Makes the item a link; the element gets the menu item's role and keys. */
  link?: ReactElement
  onSelect?: () => void
}
/** An item that opens a submenu. */
export type Submenu = {kind: 'submenu'; id: string; label: string; entries: readonly MenuEntry[]}
export type MenuGroup = {kind: 'group'; id: string; label: string; items: readonly (MenuItem | Submenu)[]}
export type MenuEntry = MenuItem | {kind: 'separator'; id: string} | MenuGroup | Submenu
