import {Menu} from '@base-ui/react/menu'
import {useLayoutEffect, type RefObject} from 'react'
import {classNames} from '../class-names.ts'
import {CheckIcon, ChevronEndIcon} from '../icons.tsx'
import type {MenuEntry, MenuItem, Submenu} from '../menu-entry.ts'
import {isOnTrigger} from '../use-overlay.ts'
import {useRootMark} from '../use-root-mark.ts'
import {hasFocusMoved} from './has-focus-moved.ts'
import {OverlayProviders} from './overlay-providers.tsx'
import styles from './overlays.module.css'
import {useCloseRequest} from './use-close-request.ts'

type MenuOverlayProps = {
  label: string
  entries: readonly MenuEntry[]
  align: 'start' | 'end'
  open: boolean
  onClose: () => void
  anchor: RefObject<HTMLButtonElement | null>
}

export function MenuOverlay({label, entries, align, open, onClose, anchor}: MenuOverlayProps) {
  useCloseRequest(open, onClose)
  useRootMark('menus', open)
  // an entry takes the focus when it is pressed: what it opens would give the focus back to an entry that is gone then
  useLayoutEffect(() => {
    if (!open && isInMenu(document.activeElement)) anchor.current?.focus({preventScroll: true})
  }, [open, anchor])
  const items = entries.flatMap((entry) => {
    if (entry.kind === 'group') return entry.items.filter((item) => item.kind !== 'submenu')
    return entry.kind === 'separator' || entry.kind === 'submenu' ? [] : [entry]
  })
  const isChoice = items.some((item) => item.checked !== undefined)
  const chosenId = isChoice ? (items.find((item) => item.checked === true)?.id ?? '') : undefined
  const rows = <MenuRows entries={entries} />
  return (
    <OverlayProviders>
      <Menu.Root
        open={open}
        modal={false}
        onOpenChange={(next, details) => {
          if (!next && !isOnTrigger(details.event, anchor)) onClose()
        }}
      >
        <Menu.Portal>
          <Menu.Positioner anchor={anchor} side="bottom" align={align} sideOffset={6} className={styles.positioner}>
            <Menu.Popup
              className={styles.menu}
              aria-label={label}
              finalFocus={() => (hasFocusMoved() ? false : anchor.current)}
            >
              {chosenId === undefined ? rows : <Menu.RadioGroup value={chosenId}>{rows}</Menu.RadioGroup>}
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
    </OverlayProviders>
  )
}

function MenuRows({entries}: {entries: readonly MenuEntry[]}) {
  return entries.map((entry) => {
    if (entry.kind === 'separator') return <Menu.Separator key={entry.id} className={styles.separator} />
    if (entry.kind === 'submenu') return <SubmenuRow key={entry.id} submenu={entry} />
    if (entry.kind !== 'group') return <MenuRow key={entry.id} item={entry} />
    return (
      <Menu.Group key={entry.id}>
        <Menu.GroupLabel className={styles.groupLabel}>{entry.label}</Menu.GroupLabel>
        <MenuRows entries={entry.items} />
      </Menu.Group>
    )
  })
}

/** Opens on press, on the arrow key that points to it, and on hover. */
function SubmenuRow({submenu: {label, entries}}: {submenu: Submenu}) {
  return (
    <Menu.SubmenuRoot>
      <Menu.SubmenuTrigger className={styles.item} label={label}>
        <span className={styles.itemText}>
          <span className={styles.itemLabel} dir="auto">
            {label}
          </span>
        </span>
        <span className={styles.itemEnd}>
          <ChevronEndIcon size={14} />
        </span>
      </Menu.SubmenuTrigger>
      <Menu.Portal>
        <Menu.Positioner side="inline-end" align="start" sideOffset={4} className={styles.positioner}>
          <Menu.Popup className={styles.menu} aria-label={label}>
            <MenuRows entries={entries} />
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.SubmenuRoot>
  )
}

function MenuRow({item}: {item: MenuItem}) {
  const content = (
    <>
      {item.icon !== undefined && <span className={styles.itemIcon}>{item.icon}</span>}
      <span className={styles.itemText}>
        <span className={styles.itemLabel} dir="auto">
          {item.label}
        </span>
        {item.description !== undefined && <span className={styles.itemDescription}>{item.description}</span>}
      </span>
      {item.end !== undefined && <span className={styles.itemEnd}>{item.end}</span>}
      {item.checked !== undefined && (
        <span className={styles.itemCheck}>{item.checked && <CheckIcon size={14} />}</span>
      )}
    </>
  )
  const commonProps = {
    className: classNames(styles.item, item.danger === true && styles.itemDanger),
    disabled: item.disabled === true,
    label: item.label,
    onClick: item.onSelect,
  }
  if (item.link !== undefined) {
    return (
      <Menu.LinkItem className={commonProps.className} closeOnClick render={item.link}>
        {content}
      </Menu.LinkItem>
    )
  }
  if (item.checked === undefined) return <Menu.Item {...commonProps}>{content}</Menu.Item>
  return (
    <Menu.RadioItem value={item.id} closeOnClick {...commonProps}>
      {content}
    </Menu.RadioItem>
  )
}

const isInMenu = (element: Element | null) => element?.closest('[role=menu]') != null
