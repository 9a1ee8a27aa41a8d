import {Link} from '@tanstack/react-router'
import {type Site} from '#contract/management.ts'
import {type MediaGroup} from '#contract/media/media-tool.ts'
import {useText} from '#ui/text.tsx'
import {toolLine} from './tool-line.ts'
import {ToolMark} from './tool-mark.tsx'
import {enabledMediaTools} from './tools.ts'
import styles from './tool-list.module.css'

type ToolListProps = {
  features: Site['features']
  group: MediaGroup
  /** Tool of the page. */
  current: string
}

/** The tool switcher (design.md §2): every tool of a group that the site offers, by mark, name and one line. */
export function ToolList({features, group, current}: ToolListProps) {
  const text = useText()
  const offered = enabledMediaTools(features, group)
  if (offered.length === 0) return null
  return (
    <nav className={styles.nav} aria-label={text('index.tools')}>
      <ul className={styles.list}>
        {offered.map(({id, name, path}) => (
          <li key={id}>
            <Link
              to={path}
              className={styles.item}
              aria-current={id === current ? 'page' : undefined}
              aria-labelledby={`tool-${id}`}
              aria-describedby={`tool-${id}-line`}
            >
              <ToolMark tool={id} />
              <span className={styles.words}>
                <span id={`tool-${id}`} className={styles.name}>
                  {name}
                </span>
                <span id={`tool-${id}-line`} className={styles.line}>
                  {text(toolLine(id))}
                </span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
