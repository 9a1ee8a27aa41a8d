import {useRef, type ReactNode} from 'react'
import {classNames} from '#ui/class-names.ts'
import {IconButton} from '#ui/icon-button.tsx'
import {MenuIcon, SidebarIcon} from '#ui/icons.tsx'
import {useText} from '#ui/text.tsx'
import styles from './shell.module.css'
import {useTyping} from './use-typing.ts'

export type ShellPanel = {
  title: string
  width: 'chat' | 'console' | 'tools'
  content: ReactNode
  /** `beside`: next to the workspace; `hidden` and `drawer`: opened by a button in the head. */
  placement: 'beside' | 'hidden' | 'drawer'
  onToggle: () => void
  /** The content renders its own head, with the button that hides the panel. */
  isBare?: boolean
}

type ShellProps = {
  rail: ReactNode
  tabs: ReactNode
  panel: ShellPanel | undefined
  /** Above all content: the offline bar. */
  bar: ReactNode
  /** Head of the workspace: a title or the model picker. */
  head: ReactNode
  headEnd: ReactNode
  /** Below every page: the player. */
  foot?: ReactNode
  children?: ReactNode
}

/** The frame of each page: rail or tab bar, context panel, workspace card (design.md §2). */
export function Shell({rail, tabs, panel, bar, head, headEnd, foot, children}: ShellProps) {
  const text = useText()
  const frame = useRef<HTMLDivElement>(null)
  const typing = useTyping(frame)
  const beside = panel?.placement === 'beside'
  return (
    <div
      ref={frame}
      className={classNames(styles.shell, beside && styles.withPanel, panel && styles[panel.width])}
      data-typing={typing || undefined}
    >
      <a className={styles.skip} href="#main">
        {text('index.skip')}
      </a>
      <div className={styles.bar}>{bar}</div>
      {rail}
      {panel !== undefined && beside && (
        <aside className={styles.panel} aria-label={panel.title}>
          {panel.isBare !== true && (
            <div className={styles.panelHead}>
              {panel.title}
              <IconButton
                size="sm"
                label={text('index.panelHide')}
                icon={<SidebarIcon />}
                aria-keyshortcuts="Control+\"
                onClick={panel.onToggle}
              />
            </div>
          )}
          {panel.content}
        </aside>
      )}
      <div className={styles.work}>
        <header className={styles.head}>
          {panel !== undefined && !beside && (
            <IconButton
              label={text(panel.placement === 'drawer' ? 'index.panelOpen' : 'index.panelShow')}
              aria-keyshortcuts="Control+\"
              icon={panel.placement === 'drawer' ? <MenuIcon size={20} /> : <SidebarIcon />}
              onClick={panel.onToggle}
            />
          )}
          <div className={styles.headMain}>{head}</div>
          {headEnd}
        </header>
        <main id="main" className={styles.content} tabIndex={-1}>
          {children}
        </main>
        {foot}
      </div>
      <div className={styles.tabs}>{tabs}</div>
    </div>
  )
}
