import {Link} from '@tanstack/react-router'
import {useState, type ReactNode} from 'react'
import {type User} from '#contract/management.ts'
import {formatDateTime} from '#domain/date-time.ts'
import {userName} from '#domain/profile.ts'
import type {SupportLinks} from '#domain/support-links.ts'
import {Avatar} from '#ui/avatar.tsx'
import {Button} from '#ui/button.tsx'
import {CopyButton} from '#ui/copy-button.tsx'
import {Dialog} from '#ui/dialog.tsx'
import {LogOutIcon} from '#ui/account-icons.tsx'
import {ChevronEndIcon, ExternalLinkIcon} from '#ui/icons.tsx'
import {TimeText} from '#ui/time-text.tsx'
import {useText} from '#ui/text.tsx'
import {phone, useMediaQuery} from '#ui/use-media-query.ts'
import {classNames} from '#ui/class-names.ts'
import surface from '#ui/surface.module.css'
import styles from './profile-page.module.css'

type ProfilePageProps = {
  user: User | undefined
  /** The user's balance. */
  balance?: ReactNode
  /** Name and image, a dialog to verify the address, password and sessions, export and deletion, where the server offers them. */
  form?: ReactNode
  verification?: ReactNode
  security?: ReactNode
  data?: ReactNode
  /** Links to copies of conversations, where the server offers them. */
  shares?: ReactNode
  /** Theme and language. */
  appearance: ReactNode
  /** Pages of a sign-in service that keeps the account itself. */
  accountLinks?: {profile: string; verify: string}
  platformLink?: string | undefined
  termsLink: string
  support: SupportLinks
  /** The row that leads to the site's settings, for those who may edit it. */
  siteLink: ReactNode
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
      <MoreLinks {...props} onSignOut={isPhone && user !== undefined ? onSignOut : undefined} />
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

/** Pages of the app, then those of others, which open in a tab of their own (contract/screens §7). */
function MoreLinks({
  accountLinks,
  platformLink,
  termsLink,
  support,
  siteLink,
  onSignOut,
}: Pick<ProfilePageProps, 'accountLinks' | 'platformLink' | 'termsLink' | 'support' | 'siteLink'> & {
  /** Absent where the head of the page has it. */
  onSignOut: (() => void) | undefined
}) {
  const text = useText()
  return (
    <>
      <ul className={surface.surface}>
        <PageRow link={<Link to="/console/applications">{text('index.applications')}</Link>} />
        <PageRow link={<Link to="/console/orders">{text('index.orders')}</Link>} />
        <PageRow link={<Link to="/console/usages">{text('index.usages')}</Link>} />
        <PageRow link={<Link to="/distribution">{text('index.distribution')}</Link>} />
        {siteLink}
        {accountLinks !== undefined && (
          <ForeignRow address={accountLinks.profile} label={text('index.profileAccount')} />
        )}
        {platformLink !== undefined && <ForeignRow address={platformLink} label={text('index.profilePlatform')} />}
        <ForeignRow address={termsLink} label={text('index.profileTerms')} />
        <SupportRows {...support} />
        {onSignOut !== undefined && (
          <PageRow
            icon={<LogOutIcon />}
            link={
              <button type="button" onClick={onSignOut}>
                {text('index.signOut')}
              </button>
            }
          />
        )}
      </ul>
    </>
  )
}

/** Leads the site's users to help; the code of WeChat is shown in a dialog. */
function SupportRows({discord, wechat}: SupportLinks) {
  const text = useText()
  const [isWechatOpen, setWechatOpen] = useState(false)
  return (
    <>
      {discord !== undefined && (
        <ForeignRow address={discord} label={text('index.profileSupportOn', {place: 'Discord'})} />
      )}
      {wechat !== undefined && (
        <PageRow
          link={
            <button type="button" onClick={() => setWechatOpen(true)}>
              {text('index.profileSupportOn', {place: 'WeChat'})}
            </button>
          }
        />
      )}
      {wechat !== undefined && (
        <Dialog
          open={isWechatOpen}
          title={text('index.profileSupportOn', {place: 'WeChat'})}
          width={300}
          onClose={() => setWechatOpen(false)}
        >
          <img className={styles.wechat} src={wechat} alt={text('index.profileWechatCode')} />
        </Dialog>
      )}
    </>
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

/** A line of the list of links. */
export function PageRow({link, icon = <ChevronEndIcon />}: {link: ReactNode; icon?: ReactNode}) {
  return (
    <li className={styles.row}>
      {link}
      {icon}
    </li>
  )
}

function ForeignRow({address, label}: {address: string; label: string}) {
  return (
    <PageRow
      icon={<ExternalLinkIcon />}
      link={
        <a href={address} target="_blank" rel="noopener noreferrer">
          {label}
        </a>
      }
    />
  )
}
