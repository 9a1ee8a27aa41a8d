import type {ReactNode} from 'react'
import styles from './state.module.css'

type EmptyStateProps = {icon?: ReactNode; title: string; text?: string; action?: ReactNode}

/** Says what will appear here and offers an action that fills it (design §11). */
export function EmptyState({icon, title, text, action}: EmptyStateProps) {
  return (
    <div className={styles.state}>
      {icon !== undefined && <span className={styles.icon}>{icon}</span>}
      <p className={styles.title}>{title}</p>
      {text !== undefined && <p className={styles.text}>{text}</p>}
      {action !== undefined && <div className={styles.actions}>{action}</div>}
    </div>
  )
}
