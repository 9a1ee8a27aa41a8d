import {Link} from '@tanstack/react-router'
import {type Site} from '#contract/management.ts'
import {useText} from '#ui/text.tsx'
import {ToolMark} from './tool-mark.tsx'
import {enabledMediaTools, type MediaGroup, type MediaToolId} from './tools.ts'
import styles from './tool-list.module.css'

type ToolListProps = {
  features: Site['features']
  group: MediaGroup
  /** Tool of the page. */
  current: MediaToolId
}

/** The tool switcher (design.md §2): every tool of a group that the site offers, by mark, name and one line. */
export function ToolList({features, group, current}: ToolListProps) {
  const text = useText()
  const offered = enabledMediaTools(features, group)
  if (offered.length === 0) return null
  return (
    <nav className={styles.nav} aria-label={text('index.tools')}>
      <ul className={styles.list}>
        {offered.map(({id, path}) => (
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
                  {text(`index.tool.${id}`)}
                </span>
                <span id={`tool-${id}-line`} className={styles.line}>
                  {text(`index.tool.${id}.line`)}
                </span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
