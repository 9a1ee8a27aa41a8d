import {Link} from '@tanstack/react-router'
import {useSelector} from '@xstate/react'
import {useState} from 'react'
import {ToolMark} from '#features/shell/tool-mark.tsx'
import {toolLine} from '#features/shell/tool-line.ts'
import {panelVisible} from '#features/shell/remembered.ts'
import {enabledTools, isMediaTool, type MediaTool} from '#features/shell/tools.ts'
import {selectSite} from '#machines/site/site.selectors.ts'
import {classNames} from '#ui/class-names.ts'
import {IconButton} from '#ui/icon-button.tsx'
import {SidebarIcon} from '#ui/icons.tsx'
import {HistoryIcon, SwitchToolIcon} from '#ui/media-icons.tsx'
import {Popover} from '#ui/popover.tsx'
import {useText} from '#ui/text.tsx'
import {useMediaQuery, wide} from '#ui/use-media-query.ts'
import {useAppActor} from '../actors.context.tsx'
import styles from './tool-switcher.module.css'

type ToolSwitcherProps = {
  tool: MediaTool
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
        trigger={(trigger) => (
          <button
            type="button"
            className={styles.button}
            aria-label={text('common.mediaToolSwitch', {tool: name})}
            {...trigger}
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

const groups = ['image', 'video', 'music'] as const

/** Every media tool the site offers, by group, with a search over names and what they do. */
function ToolChoice({current, onGo}: {current: MediaTool; onGo: () => void}) {
  const text = useText()
  const site = useSelector(useAppActor('site'), selectSite)
  const [words, setWords] = useState('')
  const wanted = words.trim().toLowerCase()
  const tools = enabledTools(site?.features)
    .filter(isMediaTool)
    .filter(({id, name}) => [name, text(toolLine(id)), id].some((word) => word.toLowerCase().includes(wanted)))
  return (
    <div className={styles.choice}>
      <input
        type="search"
        className={styles.search}
        dir="auto"
        placeholder={text('common.mediaToolSearch')}
        aria-label={text('common.mediaToolSearch')}
        value={words}
        onChange={(event) => setWords(event.currentTarget.value)}
      />
      <div className={styles.list}>
        {tools.length === 0 && <p className={styles.none}>{text('common.mediaNothingMatches')}</p>}
        {groups.map((group) => {
          const ofGroup = tools.filter((tool) => tool.group === group)
          if (ofGroup.length === 0) return null
          return (
            <section key={group} aria-label={text(`index.${group}`)}>
              <h2>{text(`index.${group}`)}</h2>
              <ul>
                {ofGroup.map(({id, name, path}) => (
                  <li key={id}>
                    <Link
                      to={path}
                      className={styles.item}
                      aria-current={id === current.id ? 'page' : undefined}
                      onClick={onGo}
                    >
                      <ToolMark tool={id} />
                      <span className={styles.words}>
                        <b>{name}</b>
                        <small>{text(toolLine(id))}</small>
                      </span>
                    </Link>
                  </li>
                ))}
              </ul>
            </section>
          )
        })}
      </div>
      <Link to={`${current.path}/history`} className={styles.history} onClick={onGo}>
        <HistoryIcon />
        {text('index.history', {tool: current.name})}
      </Link>
    </div>
  )
}
