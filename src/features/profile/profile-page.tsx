import type {ReactNode} from 'react'
import {type User} from '#contract/management.ts'
import {formatDateTime} from '#domain/date-time.ts'
import {userName} from '#domain/profile.ts'
import {Avatar} from '#ui/avatar.tsx'
import {Button} from '#ui/button.tsx'
import {CopyButton} from '#ui/copy-button.tsx'
import {LogOutIcon} from '#ui/account-icons.tsx'
import {TimeText} from '#ui/time-text.tsx'
import {useText} from '#ui/text.tsx'
import {phone, useMediaQuery} from '#ui/use-media-query.ts'
import {classNames} from '#ui/class-names.ts'
import surface from '#ui/surface.module.css'
import {ProfileLinks, type ProfileLinksProps} from './profile-links.tsx'
import styles from './profile-page.module.css'

type ProfilePageProps = Omit<ProfileLinksProps, 'onSignOut'> & {
  user: User | undefined
  /** The user's balance. */
  balance?: ReactNode
  /** Name and image, verifying the address, password, sessions, export and deletion, where the server offers them. */
  form?: ReactNode
  verification?: ReactNode
  security?: ReactNode
  data?: ReactNode
  /** Links to copies of conversations, where the server offers them. */
  shares?: ReactNode
  /** Theme and language. */
  appearance: ReactNode
  onSignIn: () => void
  onSignOut: () => void
}

/** The user's account. On phones the links to everything the tab bar lacks come first (design/screens §12). */
export function ProfilePage(props: ProfilePageProps) {
  const {user, balance, form, verification, security, data, shares, appearance, accountLinks, onSignIn, onSignOut} =
    props
  const text = useText()
  const isPhone = useMediaQuery(phone)
  const more = (
    <Section title={text('index.profileMore')}>
      <ProfileLinks {...props} onSignOut={isPhone && user !== undefined ? onSignOut : undefined} />
    </Section>
  )
  return (
    <div className={styles.page}>
      <div className={styles.column}>
        <Head user={user} onSignIn={onSignIn} onSignOut={isPhone ? undefined : onSignOut} />
        {balance}
        {isPhone && more}
        {form !== undefined && <Section title={text('index.profileEdit')}>{form}</Section>}
        {user !== undefined && (
          <Facts user={user} verify={verification ?? <VerifyLink address={accountLinks?.verify} />} />
        )}
        {security !== undefined && <Section title={text('index.profileSecurity')}>{security}</Section>}
        {shares !== undefined && (
          <Section id="shares" title={text('share.links')}>
            {shares}
          </Section>
        )}
        {data !== undefined && <Section title={text('index.profileData')}>{data}</Section>}
        <Section title={text('index.profileAppearance')}>
          <div className={classNames(surface.surface, styles.appearance)}>{appearance}</div>
        </Section>
        {!isPhone && more}
      </div>
    </div>
  )
}

type HeadProps = Pick<ProfilePageProps, 'user' | 'onSignIn'> & {
  /** Absent where it stands below, among the links. */
  onSignOut: (() => void) | undefined
}

function Head({user, onSignIn, onSignOut}: HeadProps) {
  const text = useText()
  const name = userName(user)
  return (
    <header className={styles.head}>
      <Avatar name={name} source={user?.avatar || undefined} size={56} />
      <div className={styles.who}>
        <h1 className={styles.title} tabIndex={-1}>
          <bdi>{name === '' ? text('index.profile') : name}</bdi>
        </h1>
        {user === undefined ? (
          <p className={styles.meta}>{text('index.profileSignedOut')}</p>
        ) : (
          <p className={styles.meta}>
            <bdi>{user.email}</bdi>
          </p>
        )}
      </div>
      {user === undefined ? (
        <Button variant="primary" onClick={onSignIn}>
          {text('index.signIn')}
        </Button>
      ) : (
        onSignOut !== undefined && (
          <Button icon={<LogOutIcon />} onClick={onSignOut}>
            {text('index.signOut')}
          </Button>
        )
      )}
    </header>
  )
}

/** `id`: links lead to it. */
function Section({id, title, children}: {id?: string; title: string; children: ReactNode}) {
  return (
    <section id={id} className={styles.section}>
      <h2 className={classNames(surface.heading, styles.heading)}>{title}</h2>
      {children}
    </section>
  )
}

function Facts({user, verify}: {user: User; verify: ReactNode}) {
  const text = useText()
  return (
    <dl className={surface.surface}>
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
      {user.is_verified != null && (
        <Fact label={text('index.profileVerification')}>
          {user.is_verified ? (
            text('index.profileVerified')
          ) : (
            <>
              {text('index.profileNotVerified')}
              {verify}
            </>
          )}
        </Fact>
      )}
    </dl>
  )
}

function VerifyLink({address}: {address: string | undefined}) {
  const text = useText()
  if (address === undefined) return null
  return (
    <a href={address} target="_blank" rel="noopener noreferrer">
      {text('index.profileVerify')}
    </a>
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
