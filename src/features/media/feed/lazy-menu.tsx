import {Menu} from '#ui/menu.tsx'
import type {MenuEntry} from '#ui/menu-entry.ts'
import {lazyModule} from '#ui/use-lazy.ts'

/** How the entries of menus are made. */
export const resultMenus = lazyModule(async () => (await import('../result-menus.ts')).menusOf)

/** A press that could not load them is none: the next one tries again. */
const load = (onLoad?: () => void) => void resultMenus.load().then(onLoad, () => undefined)

type LazyMenuProps = Omit<Parameters<typeof Menu>[0], 'entries'> & {entries: () => readonly MenuEntry[]}

/**
 * A menu whose entries are made when it opens or the command palette lists them; what makes them is loaded when a
 * pointer or the focus first reaches its button.
 */
export function LazyMenu({trigger, ...rest}: LazyMenuProps) {
  return (
    <Menu
      {...rest}
      align="end"
      trigger={({onFocus, onPointerEnter, onClick, ...props}) =>
        trigger({
          ...props,
          onFocus: () => {
            load()
            onFocus()
          },
          onPointerEnter: () => {
            load()
            onPointerEnter()
          },
          onClick: () => load(onClick),
        })
      }
    />
  )
}
