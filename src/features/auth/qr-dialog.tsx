import {isLoopbackAddress} from '#domain/loopback.ts'
import {CopyButton} from '#ui/copy-button.tsx'
import {Dialog} from '#ui/dialog.tsx'
import {QrCode} from '#ui/qr-code.tsx'
import {useText} from '#ui/text.tsx'
import styles from './qr-dialog.module.css'

/** Size of the code in CSS pixels (spec §2). */
const size = 230

/**
 * A link of the login page as a QR code. Empty or too long for a code: a sentence, and the link to copy (spec §8). For
 * a loopback link without a configured public origin it says that phones cannot open it.
 */
export function QrDialog({link, onClose}: {link: string | undefined; onClose: () => void}) {
  const text = useText()
  return (
    <Dialog open={link !== undefined} title={text('index.qrTitle')} width={400} onClose={onClose}>
      {link !== undefined && (
        <div className={styles.body}>
          <QrCode value={link} size={size} />
          {isLoopbackAddress(link) && <p className={styles.note}>{text('index.qrLoopback')}</p>}
          {link !== '' && (
            <div className={styles.link}>
              <bdi dir="ltr" className={styles.address}>
                {link}
              </bdi>
              <CopyButton labelled value={() => link} label={text('index.copyLink')} />
            </div>
          )}
        </div>
      )}
    </Dialog>
  )
}
