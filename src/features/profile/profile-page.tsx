import {Link} from '@tanstack/react-router'
import {type ReactNode} from 'react'
import {type User} from '#contract/management.ts'
import {formatDateTime} from '#domain/date-time.ts'
import {Avatar} from '#ui/avatar.tsx'
import {Button} from '#ui/button.tsx'
import {CopyButton} from '#ui/copy-button.tsx'
import {ChevronEndIcon, LogOutIcon} from '#ui/icons.tsx'
import {TimeText} from '#ui/time-text.tsx'
import {useText} from '#ui/text.tsx'
import styles from './profile-page.module.css'

type ProfilePageProps = {
  user: User | undefined
  /** Theme and language. */
  appearance: ReactNode
  onSignIn: () => void
  onSignOut: () => void
}

/** The user's account; on phones also links to everything the tab bar lacks. */
export function ProfilePage({user, appearance, onSignIn, onSignOut}: ProfilePageProps) {
  const text = useText()
  const name = user?.nickname ?? user?.username ?? user?.email ?? ''
  return (
    <div className={styles.page}>
      <div className={styles.column}>
        <header className={styles.head}>
          <Avatar name={name} source={user?.avatar ?? undefined} size={56} />
          <div className={styles.who}>
            <h1 className={styles.title} tabIndex={-1}>
              <bdi>{name === '' ? text('index.profile') : name}</bdi>
            </h1>
            {user === undefined && <p className={styles.meta}>{text('index.profileSignedOut')}</p>}
          </div>
        </header>
        {user !== undefined && (
          <dl className={styles.card}>
            {user.email != null && (
              <Fact label={text('index.profileEmail')}>
                <bdi>{user.email}</bdi>
              </Fact>
            )}
            <Fact label={text('index.profileId')}>
              <bdi dir="ltr" className={styles.id}>
                {user.id}
              </bdi>
              <CopyButton value={() => user.id} />
            </Fact>
            {user.date_joined != null && (
              <Fact label={text('index.profileJoined')}>
                <TimeText value={user.date_joined} format={formatDateTime} />
              </Fact>
            )}
          </dl>
        )}
        <h2 className={styles.heading}>{text('index.profileAppearance')}</h2>
        <div className={styles.appearance}>{appearance}</div>
        <h2 className={styles.heading}>{text('index.profileMore')}</h2>
        <ul className={styles.links}>
          <Row link={<Link to="/console/applications">{text('index.applications')}</Link>} />
          <Row link={<Link to="/console/orders">{text('index.orders')}</Link>} />
          <Row link={<Link to="/console/usages">{text('index.usages')}</Link>} />
          <Row link={<Link to="/distribution">{text('index.distribution')}</Link>} />
          <Row link={<Link to="/site">{text('site.title')}</Link>} />
        </ul>
        <div>
          {user === undefined ? (
            <Button variant="primary" onClick={onSignIn}>
              {text('index.signIn')}
            </Button>
          ) : (
            <Button icon={<LogOutIcon />} onClick={onSignOut}>
              {text('index.signOut')}
            </Button>
          )}
        </div>
      </div>
    </div>
  )
}

function Fact({label, children}: {label: string; children: ReactNode}) {
  return (
    <div className={styles.fact}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function Row({link}: {link: ReactNode}) {
  return (
    <li className={styles.row}>
      {link}
      <ChevronEndIcon />
    </li>
  )
}
