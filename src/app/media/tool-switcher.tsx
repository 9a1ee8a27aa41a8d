import {lazy} from 'react'
import {ToolMark} from '#features/shell/tool-mark.tsx'
import {toolLine} from '#features/shell/tool-line.ts'
import {panelVisible} from '#browser/remembered-value.ts'
import type {ToolEntry} from '#features/shell/tools.ts'
import {classNames} from '#ui/class-names.ts'
import {IconButton} from '#ui/icon-button.tsx'
import {SidebarIcon} from '#ui/icons.tsx'
import {loadPart} from '#ui/load-part.ts'
import {SwitchToolIcon} from '#ui/media-icons.tsx'
import {Popover} from '#ui/popover.tsx'
import {useText} from '#ui/text.tsx'
import {useMediaQuery, wide} from '#ui/use-media-query.ts'
import styles from './tool-switcher.module.css'

const loadChoice = () => loadPart(() => import('./tool-choice.tsx'))
// without a fallback of its own to wait in: the list opens when it is whole, and the focus goes into it
const ToolChoice = lazy(async () => ({default: (await loadChoice()).ToolChoice}))

type ToolSwitcherProps = {
  tool: ToolEntry
  /** On phones: mark and name alone, in the head. */
  isSmall: boolean
}

/** The tool of the page, as the button that opens the list of all of them (design.md §2). */
export function ToolSwitcher({tool, isSmall}: ToolSwitcherProps) {
  const text = useText()
  const isWide = useMediaQuery(wide)
  const {name} = tool
  return (
    <div className={classNames(styles.row, isSmall && styles.small)}>
      <Popover
        label={text('index.tools')}
        trigger={({onPointerEnter, onFocus, ...trigger}) => (
          <button
            type="button"
            className={styles.button}
            aria-label={text('common.mediaToolSwitch', {tool: name})}
            {...trigger}
            onPointerEnter={() => {
              onPointerEnter()
              void loadChoice()
            }}
            onFocus={() => {
              onFocus()
              void loadChoice()
            }}
          >
            <ToolMark tool={tool.id} />
            <span className={styles.words}>
              <b>{name}</b>
              <small>{text(toolLine(tool.id))}</small>
            </span>
            <SwitchToolIcon size={isSmall ? 14 : 16} />
          </button>
        )}
      >
        {(close) => <ToolChoice current={tool} onGo={close} />}
      </Popover>
      {isWide && !isSmall && (
        <IconButton
          size="sm"
          label={text('index.panelHide')}
          icon={<SidebarIcon />}
          aria-keyshortcuts="Control+\"
          onClick={() => panelVisible.set(false)}
        />
      )}
    </div>
  )
}
