import {lazy, Suspense, type ReactElement, type ReactNode} from 'react'
import {loadPart} from './load-part.ts'
import {useOverlay, type TriggerProps} from './use-overlay.ts'

const load = () => loadPart(() => import('./overlays/menu-overlay.tsx'))
const MenuOverlay = lazy(async () => ({default: (await load()).MenuOverlay}))

export type MenuItem = {
  kind?: 'item'
  id: string
  label: string
  /** One line under the label, such as the reason why the item is disabled. */
  description?: string | undefined
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

type MenuProps = {
  label: string
  entries: readonly MenuEntry[]
  align?: 'start' | 'end'
  trigger: (props: TriggerProps) => ReactElement
}

/** A button that opens a list of actions or a choice. The list's code loads on first use. */
export function Menu({label, entries, align = 'start', trigger}: MenuProps) {
  const overlay = useOverlay('menu', () => void load())
  return (
    <>
      {trigger(overlay.trigger)}
      {overlay.mounted && (
        <Suspense>
          <MenuOverlay
            label={label}
            entries={entries}
            align={align}
            open={overlay.open}
            onClose={overlay.close}
            anchor={overlay.trigger.ref}
          />
        </Suspense>
      )}
    </>
  )
}
