import {classNames} from './class-names.ts'
import styles from './icons.module.css'

/*
 * Icons that stand beside each block of code and each table: Lucide's, in one path each and made once. React keeps two
 * records of such an icon, and nine of one that is a component.
 */
const draw = (size: 14 | 16, path: string, {mirrored = false} = {}) => (
  <svg
    aria-hidden="true"
    focusable="false"
    width={size}
    height={size}
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth={1.6}
    strokeLinecap="round"
    strokeLinejoin="round"
    className={classNames(styles.icon, mirrored && styles.mirrored)}
  >
    <path d={path} />
  </svg>
)

export const copyIcon = draw(
  14,
  'M10 8h10a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H10a2 2 0 0 1-2-2V10a2 2 0 0 1 2-2zM4 16c-1.1 0-2-.9-2-2V4c0-1.1.9-2 2-2h10c1.1 0 2 .9 2 2',
)
export const saveCodeIcon = draw(
  14,
  'M6 22a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2h8a2.4 2.4 0 0 1 1.704.706l3.588 3.588A2.4 2.4 0 0 1 20 8v12a2 2 0 0 1-2 2zM14 2v5a1 1 0 0 0 1 1h5M12 18v-6m-3 3 3 3 3-3',
)
export const tableIcon = draw(
  16,
  'M5 3h14a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2zM3 9h18M3 15h18M9 9v12M15 9v12',
)
export const wrapIcon = draw(14, 'm16 16-3 3 3 3M3 12h14.5a1 1 0 0 1 0 7H13M3 19h6M3 5h18', {mirrored: true})
