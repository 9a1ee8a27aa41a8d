import {Link} from '@tanstack/react-router'
import {type ReactNode} from 'react'
import {ChatIcon, ConsoleIcon, ImageIcon, InviteIcon, MusicIcon, UserIcon, VideoIcon, type Icon} from '#ui/icons.tsx'
import {ImageOr} from '#ui/image-or.tsx'
import {useText} from '#ui/text.tsx'
import {type GroupLink, type ToolGroup} from './tools.ts'
import styles from './rail.module.css'

/** The current location in the navigation. */
export type Section = ToolGroup | 'console' | 'invite' | 'you'

export const groupIcons: Record<ToolGroup, Icon> = {
  chat: ChatIcon,
  image: ImageIcon,
  video: VideoIcon,
  music: MusicIcon,
}

function targetOf(link: GroupLink) {
  if (link.group !== 'chat') return {to: link.path}
  if (link.comparison !== undefined) return {to: '/compare' as const, search: {with: [...link.comparison]}}
  return link.conversation === undefined
    ? {to: link.path}
    : {to: `${link.path}/conversations/$conversationId` as const, params: {conversationId: link.conversation}}
}

type RailProps = {
  groups: readonly GroupLink[]
  section: Section | undefined
  siteTitle: string
  /** Images of the site, the best first. */
  logos: readonly (string | undefined)[]
  /** Button of the task list. */
  tasks?: ReactNode
  /** Button of the account menu. */
  account: ReactNode
}

/** The navigation beside the page, from 768 px up (design.md §2). */
export function Rail({groups, section, siteTitle, logos, tasks, account}: RailProps) {
  const text = useText()
  const current = (here: Section) => (section === here ? 'page' : undefined)
  return (
    <nav className={styles.rail} aria-label={text('index.nav')}>
      <Link
        to="/"
        activeOptions={{exact: true}}
        className={styles.home}
        aria-label={text('index.home', {title: siteTitle})}
      >
        <ImageOr className={styles.logo} sources={logos} width={32} height={32}>
          <Mark />
        </ImageOr>
      </Link>
      {groups.map((link) => {
        const {group} = link
        const GroupIcon = groupIcons[group]
        return (
          <Link key={group} {...targetOf(link)} className={styles.item} aria-current={current(group)}>
            <GroupIcon size={20} />
            <span className={styles.label}>{text(`index.${group}`)}</span>
          </Link>
        )
      })}
      <span className={styles.separator} />
      <Link to="/console" className={styles.item} aria-current={current('console')}>
        <ConsoleIcon size={20} />
        <span className={styles.label}>{text('index.console')}</span>
      </Link>
      <Link to="/distribution" className={styles.item} aria-current={current('invite')}>
        <InviteIcon size={20} />
        <span className={styles.label}>{text('index.invite')}</span>
      </Link>
      <div className={styles.end}>
        {tasks}
        {account}
      </div>
    </nav>
  )
}

/** The navigation at the bottom of the page on phones. */
export function TabBar({groups, section}: Pick<RailProps, 'groups' | 'section'>) {
  const text = useText()
  const current = (here: Section) => (section === here ? 'page' : undefined)
  return (
    <nav className={styles.tabs} aria-label={text('index.nav')}>
      {groups.map((link) => {
        const {group} = link
        const GroupIcon = groupIcons[group]
        return (
          <Link key={group} {...targetOf(link)} className={styles.tab} aria-current={current(group)}>
            <GroupIcon size={20} />
            {text(`index.${group}`)}
          </Link>
        )
      })}
      <Link to="/profile" className={styles.tab} aria-current={current('you')}>
        <UserIcon size={20} />
        {text('index.you')}
      </Link>
    </nav>
  )
}

/** Stands for the logo of a site that has none. */
function Mark() {
  return (
    <svg className={styles.mark} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="9" fill="currentColor" />
      <path
        d="M10 20.5a6.5 6.5 0 0 1 12 0"
        fill="none"
        stroke="var(--canvas)"
        strokeWidth="2.6"
        strokeLinecap="round"
      />
      <circle cx="16" cy="11.5" r="2.6" fill="var(--canvas)" />
    </svg>
  )
}
