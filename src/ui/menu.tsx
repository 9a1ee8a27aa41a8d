import {Suspense, useEffect, type ReactElement} from 'react'
import {loadPart} from './load-part.ts'
import type {MenuEntry} from './menu-entry.ts'
import {partView} from './use-lazy.ts'
import {useOverlay, type TriggerProps} from './use-overlay.ts'

const importOverlay = () => import('./overlays/menu-overlay.tsx')
const load = () => loadPart(importOverlay)
const MenuOverlay = partView(importOverlay, (part) => part.MenuOverlay)

/** The entries of a menu, or what makes them when they are looked at. */
type Entries = readonly MenuEntry[] | (() => readonly MenuEntry[])

const entriesOfButtons = new WeakMap<Element, Entries>()

const made = (entries: Entries) => (typeof entries === 'function' ? entries() : entries)

/** The entries of a button's menu, without opening it: the command palette lists them. */
export const menuEntries = (button: Element): readonly MenuEntry[] => made(entriesOfButtons.get(button) ?? [])

type MenuProps = {
  label: string
  entries: Entries
  align?: 'start' | 'end'
  trigger: (props: TriggerProps) => ReactElement
}

/** A button that opens a list of actions or a choice. The list's code loads on first use. */
export function Menu({label, entries, align = 'start', trigger}: MenuProps) {
  const overlay = useOverlay('menu', () => void load().catch(() => undefined))
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
            entries={made(entries)}
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
