import {Link} from '@tanstack/react-router'
import {useSelector} from '@xstate/react'
import {useState} from 'react'
import {ToolMark} from '#features/shell/tool-mark.tsx'
import {toolLine} from '#features/shell/tool-line.ts'
import {enabledTools, isMediaTool, type ToolEntry} from '#features/shell/tools.ts'
import {selectSite} from '#machines/site/site.selectors.ts'
import {HistoryIcon} from '#ui/viewer-icons.tsx'
import {useText} from '#ui/text.tsx'
import {useAppActor} from '../actors.context.tsx'
import styles from './tool-choice.module.css'

const groups = ['image', 'video', 'music'] as const

/** Every media tool the site offers, by group, with a search over names and what they do. */
export function ToolChoice({current, onGo}: {current: ToolEntry; onGo: () => void}) {
  const text = useText()
  const site = useSelector(useAppActor('site'), selectSite)
  const [words, setWords] = useState('')
  const searchText = words.trim().toLowerCase()
  const tools = enabledTools(site?.features)
    .filter(isMediaTool)
    .filter(({id, name}) => [name, text(toolLine(id)), id].some((word) => word.toLowerCase().includes(searchText)))
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
