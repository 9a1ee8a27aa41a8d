import {useSelector} from '@xstate/react'
import {selectIsSandbox} from '#machines/provisioning/provisioning.selectors.ts'
import {useText} from '#ui/text.tsx'
import {useMedia} from './media.context.ts'
import styles from './feed/feed.module.css'

/** Beside the heading while the sandbox makes what the tool is asked for: no model, no charge. */
export function SandboxBadge() {
  const text = useText()
  const isSandbox = useSelector(useMedia().actors.provisioning, selectIsSandbox)
  if (!isSandbox) return null
  return (
    <span className={styles.badge} title={text('common.mediaSandboxHint')}>
      {text('index.badgeSandbox')}
      <span className="visually-hidden">{text('common.mediaSandboxHint')}</span>
    </span>
  )
}
