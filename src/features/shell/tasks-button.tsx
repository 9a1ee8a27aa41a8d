import {IconButton} from '#ui/icon-button.tsx'
import {TasksIcon} from '#ui/icons.tsx'
import {useText} from '#ui/text.tsx'
import type {TriggerProps} from '#ui/use-overlay.ts'
import styles from './rail.module.css'

type TasksButtonProps = {
  /** Running tasks and answers of all tools and chats. */
  count: number
  /** The icon alone, for the head on phones. */
  isSmall: boolean
  trigger: TriggerProps
}

/** Opens the task list and shows the number of running ones. */
export function TasksButton({count, isSmall, trigger}: TasksButtonProps) {
  const text = useText()
  const label = count === 0 ? text('index.tasks') : text('index.tasksCount', {count})
  const badge = count > 0 && (
    <bdi dir="ltr" className={styles.badge} aria-hidden="true">
      {count > 99 ? '99+' : count}
    </bdi>
  )
  if (isSmall) {
    return (
      <span className={styles.small}>
        <IconButton label={label} icon={<TasksIcon size={20} />} {...trigger} />
        {badge}
      </span>
    )
  }
  return (
    <button type="button" className={styles.item} aria-label={label} {...trigger}>
      <TasksIcon size={20} />
      <span className={styles.label}>{text('index.tasks')}</span>
      {badge}
    </button>
  )
}
