import {useState} from 'react'
import {canShare, shareLink} from '#browser/share-sheet.ts'
import {selectLink, type ShortLinkEvent, type ShortLinkSnapshot} from '#machines/short-link/short-link.machine.ts'
import {Button} from '#ui/button.tsx'
import {CopyButton} from '#ui/copy-button.tsx'
import {Dialog} from '#ui/dialog.tsx'
import {QrIcon, ShareIcon} from '#ui/account-icons.tsx'
import {QrCode} from '#ui/qr-code.tsx'
import {Skeleton} from '#ui/skeleton.tsx'
import {useText} from '#ui/text.tsx'
import {phone, useMediaQuery} from '#ui/use-media-query.ts'
import {classNames} from '#ui/class-names.ts'
import surface from '#ui/surface.module.css'
import styles from './invite-link.module.css'

type InviteLinkProps = {
  snapshot: ShortLinkSnapshot
  send: (event: ShortLinkEvent) => void
  /** Name of the site in the sheet of the device. */
  siteName: string
}

const qrSize = 128

/** The user's link to copy, share and scan (design/screens §10). The long one stands in where there is no short one. */
export function InviteLink({snapshot, send, siteName}: InviteLinkProps) {
  const text = useText()
  const isPhone = useMediaQuery(phone)
  const [isQrOpen, setQrOpen] = useState(false)
  const [hasShareFailed, setShareFailed] = useState(false)
  const link = selectLink(snapshot)
  const share = () => {
    setShareFailed(false)
    shareLink({title: text('distribution.shareTitle', {site: siteName}), url: link}).catch(() => setShareFailed(true))
  }
  return (
    <section className={classNames(surface.surface, styles.card)} aria-labelledby="invite-link">
      <div className={styles.main}>
        <h2 id="invite-link" className={styles.heading}>
          {text('distribution.yourLink')}
        </h2>
        <Address link={link} snapshot={snapshot} send={send} />
        <div className={styles.actions}>
          <CopyLink link={link} />
          {canShare() && (
            <Button icon={<ShareIcon size={14} />} onClick={share}>
              {text('distribution.share')}
            </Button>
          )}
          {isPhone && (
            <Button icon={<QrIcon size={14} />} onClick={() => setQrOpen(true)}>
              {text('common.qrCode')}
            </Button>
          )}
        </div>
        {hasShareFailed && (
          <p role="alert" className={styles.fine}>
            {text('distribution.shareFailed')}
          </p>
        )}
      </div>
      {isPhone ? (
        <Dialog open={isQrOpen} title={text('distribution.scan')} width={320} onClose={() => setQrOpen(false)}>
          <div className={styles.scan}>
            <QrCode value={link} />
          </div>
        </Dialog>
      ) : (
        <div className={styles.code}>
          <QrCode value={link} size={qrSize} />
        </div>
      )}
    </section>
  )
}

type AddressProps = Pick<InviteLinkProps, 'snapshot' | 'send'> & {link: string}

function Address({link, snapshot, send}: AddressProps) {
  const text = useText()
  return (
    <>
      {snapshot.matches('shortening') ? (
        <Skeleton blockSize={42} radius="var(--r-md)" />
      ) : (
        <p className={styles.link}>
          <bdi dir="ltr">{link}</bdi>
        </p>
      )}
      {snapshot.matches('long') && (
        <p className={styles.fine}>
          {text('distribution.longLink')}{' '}
          <button type="button" className={styles.again} onClick={() => send({type: 'link.shorten'})}>
            {text('distribution.shortenAgain')}
          </button>
        </p>
      )}
    </>
  )
}

/** The primary action of the referral pages. */
export function CopyLink({link}: {link: string}) {
  const text = useText()
  return (
    <CopyButton
      labelled
      look={{variant: 'primary', size: 'md'}}
      value={() => link}
      label={text('distribution.copyLink')}
    />
  )
}
