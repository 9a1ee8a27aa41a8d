import {useState} from 'react'
import type {ShareLink} from '#contract/shares.ts'
import type {ShareLinks, ShareLinksEvent} from '#machines/share-links/share-links.machine.ts'
import {Button} from '#ui/button.tsx'
import {Dialog} from '#ui/dialog.tsx'
import {Switch} from '#ui/forms/switch.tsx'
import {useText} from '#ui/text.tsx'
import {LoadedLinks, ShareList} from './share-list.tsx'
import styles from './share.module.css'

type ShareDialogProps = ShareLinks & {addressOf: (id: string) => string; onClose: () => void}

/** The switch begins as the links have it. Where they differ, no link shows more than it did. */
const showsAttachments = (links: readonly ShareLink[]) =>
  links.length > 0 && links.every(({attachments}) => attachments)

/**
 * Makes links to a copy of a conversation, after saying what readers see, and lists those there are. A link that is made
 * or brought up to date shows the attachments if the switch says so. The switch comes with the links: shown earlier, it
 * would move by itself. A conversation without a file has none.
 */
export function ShareDialog({snapshot, send, addressOf, onClose}: ShareDialogProps) {
  const text = useText()
  const [choice, setChoice] = useState<boolean>()
  const {links, hasFiles} = snapshot.context
  const attachments = hasFiles && (choice ?? showsAttachments(links))
  /** The switch stays where it stands: other links would move it. */
  const change = (event: ShareLinksEvent) => {
    if (hasFiles) setChoice(attachments)
    send(event)
  }
  const isMaking = snapshot.matches('making') || snapshot.matches('checking')
  return (
    <Dialog
      open
      title={text('share.title')}
      width={520}
      onClose={onClose}
      actions={
        <Button
          variant="primary"
          loading={isMaking}
          disabled={!(snapshot.matches('resting') || isMaking)}
          onClick={() => change({type: 'link.make', attachments})}
        >
          {text('share.make')}
        </Button>
      }
    >
      <div className={styles.body}>
        <p className={styles.text}>{text('share.help')}</p>
        <p className={styles.text}>{text('share.unseen')}</p>
        {hasFiles && (
          <Switch
            id="share-attachments"
            label={text('share.attachments')}
            help={text('share.attachmentsHelp')}
            value={attachments}
            onChange={setChoice}
          />
        )}
        <LoadedLinks snapshot={snapshot} send={send}>
          {links.length > 0 && <h3 className={styles.heading}>{text('share.links')}</h3>}
          <ShareList
            snapshot={snapshot}
            send={change}
            label={text('share.links')}
            addressOf={addressOf}
            attachments={hasFiles ? attachments : undefined}
          />
        </LoadedLinks>
      </div>
    </Dialog>
  )
}
