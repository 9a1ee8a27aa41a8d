import {useState} from 'react'
import {Menu, type MenuEntry} from '#ui/menu.tsx'

type LateMenuProps = Omit<Parameters<typeof Menu>[0], 'entries'> & {entries: () => readonly MenuEntry[]}

/** A menu whose entries are made when a pointer or the focus first reaches its button. */
export function LateMenu({entries, trigger, ...rest}: LateMenuProps) {
  const [isWanted, setWanted] = useState(false)
  return (
    <Menu
      {...rest}
      align="end"
      entries={isWanted ? entries() : []}
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
            onClick()
          },
        })
      }
    />
  )
}
