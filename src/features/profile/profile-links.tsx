import {Link} from '@tanstack/react-router'
import {useState, type ReactNode} from 'react'
import type {SupportLinks} from '#domain/support-links.ts'
import {LogOutIcon} from '#ui/account-icons.tsx'
import {Dialog} from '#ui/dialog.tsx'
import {ChevronEndIcon, ExternalLinkIcon} from '#ui/icons.tsx'
import surface from '#ui/surface.module.css'
import {useText} from '#ui/text.tsx'
import styles from './profile-page.module.css'

export type ProfileLinksProps = {
  /** Pages of a sign-in service that keeps the account itself. */
  accountLinks?: {profile: string; verify: string}
  platformLink?: string | undefined
  termsLink: string
  support: SupportLinks
  /** The row that leads to the site's settings, for those who may edit it. */
  siteLink: ReactNode
  /** Absent where the head of the page has it. */
  onSignOut: (() => void) | undefined
}

/** Pages of the app, then those of others, which open in a tab of their own (contract/screens §7). */
export function ProfileLinks({accountLinks, platformLink, termsLink, support, siteLink, onSignOut}: ProfileLinksProps) {
  const text = useText()
  return (
    <ul className={surface.surface}>
      <PageRow link={<Link to="/console/applications">{text('index.applications')}</Link>} />
      <PageRow link={<Link to="/console/orders">{text('index.orders')}</Link>} />
      <PageRow link={<Link to="/console/usages">{text('index.usages')}</Link>} />
      <PageRow link={<Link to="/distribution">{text('index.distribution')}</Link>} />
      {siteLink}
      {accountLinks !== undefined && <ForeignRow address={accountLinks.profile} label={text('index.profileAccount')} />}
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
