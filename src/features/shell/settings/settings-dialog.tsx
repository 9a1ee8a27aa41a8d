import {useId, useRef, type KeyboardEvent, type ReactNode} from 'react'
import {Dialog} from '#ui/dialog.tsx'
import {useText} from '#ui/text.tsx'
import styles from './settings.module.css'

export type SettingsTabView<Tab extends string> = {id: Tab; label: string; content: ReactNode}

type SettingsDialogProps<Tab extends string> = {
  tabs: readonly SettingsTabView<Tab>[]
  tab: Tab
  onTab: (tab: Tab) => void
  onClose: () => void
}

/** The settings by tabs (screens.md §13). Each choice applies at once; there is no Save. */
export function SettingsDialog<Tab extends string>({tabs, tab, onTab, onClose}: SettingsDialogProps<Tab>) {
  const text = useText()
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const shownTab = tabs.find((each) => each.id === tab) ?? tabs[0]
  const move = (event: KeyboardEvent<HTMLDivElement>) => {
    const isRightToLeft = getComputedStyle(event.currentTarget).direction === 'rtl'
    const step = {ArrowRight: isRightToLeft ? -1 : 1, ArrowLeft: isRightToLeft ? 1 : -1}[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next = tabs[(tabs.findIndex((each) => each.id === tab) + step + tabs.length) % tabs.length]
    if (next === undefined) return
    onTab(next.id)
    list.current?.querySelector<HTMLElement>(`#${CSS.escape(`${id}-${next.id}`)}`)?.focus()
  }
  return (
    <Dialog open title={text('index.settings')} width={560} fillsPhone onClose={onClose}>
      <div ref={list} role="tablist" className={styles.tabs} aria-label={text('index.settingTabs')} onKeyDown={move}>
        {tabs.map((each) => (
          <button
            key={each.id}
            ref={each.id === tab ? showChosen : undefined}
            type="button"
            id={`${id}-${each.id}`}
            role="tab"
            className={styles.tab}
            aria-selected={each.id === tab}
            aria-controls={`${id}-panel`}
            tabIndex={each.id === tab ? 0 : -1}
            onClick={() => onTab(each.id)}
          >
            {each.label}
          </button>
        ))}
      </div>
      <div
        id={`${id}-panel`}
        role="tabpanel"
        tabIndex={0}
        className={styles.body}
        aria-labelledby={`${id}-${shownTab?.id ?? tab}`}
      >
        {shownTab?.content}
      </div>
    </Dialog>
  )
}

/** Narrow screens do not show all tabs at once. */
const showChosen = (tab: HTMLElement | null) => tab?.scrollIntoView({block: 'nearest', inline: 'nearest'})
