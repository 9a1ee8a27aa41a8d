import {useState} from 'react'
import {Menu} from '#ui/menu.tsx'
import type {MenuEntry} from '#ui/menu-entry.ts'
import {lazyModule, useLazy} from '#ui/use-lazy.ts'

/** How the entries of menus are made. */
export const resultMenus = lazyModule(async () => (await import('../result-menus.ts')).menusOf)

type LazyMenuProps = Omit<Parameters<typeof Menu>[0], 'entries'> & {entries: () => readonly MenuEntry[]}

/** A menu whose entries are made when a pointer or the focus first reaches its button, with what makes them. */
export function LazyMenu({entries, trigger, ...rest}: LazyMenuProps) {
  const [isWanted, setWanted] = useState(false)
  const isReady = useLazy(resultMenus, isWanted) !== undefined
  return (
    <Menu
      {...rest}
      align="end"
      entries={isReady ? entries() : []}
      trigger={({onFocus, onPointerEnter, onClick, ...props}) =>
        trigger({
          ...props,
          onFocus: () => {
            setWanted(true)
            onFocus()
          },
          onPointerEnter: () => {
            setWanted(true)
            onPointerEnter()
          },
          onClick: () => {
            setWanted(true)
            // a press that could not load them is none: the next one tries again
            if (isReady) onClick()
            else resultMenus.load().then(onClick, () => undefined)
          },
        })
      }
    />
  )
}
