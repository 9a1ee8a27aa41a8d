import {lazy, Suspense, useEffect, type ReactElement} from 'react'
import {loadPart} from './load-part.ts'
import type {MenuEntry} from './menu-entry.ts'
import {useOverlay, type TriggerProps} from './use-overlay.ts'

const load = () => loadPart(() => import('./overlays/menu-overlay.tsx'))
const MenuOverlay = lazy(async () => ({default: (await load()).MenuOverlay}))

const entriesOfButtons = new WeakMap<Element, readonly MenuEntry[]>()

/** The entries of a button's menu, without opening it: the command palette lists them. */
export const menuEntries = (button: Element): readonly MenuEntry[] | undefined => entriesOfButtons.get(button)

type MenuProps = {
  label: string
  entries: readonly MenuEntry[]
  align?: 'start' | 'end'
  trigger: (props: TriggerProps) => ReactElement
}

/** A button that opens a list of actions or a choice. The list's code loads on first use. */
export function Menu({label, entries, align = 'start', trigger}: MenuProps) {
  const overlay = useOverlay('menu', () => void load())
  const {ref} = overlay.trigger
  useEffect(() => {
    if (ref.current !== null) entriesOfButtons.set(ref.current, entries)
  }, [ref, entries])
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
