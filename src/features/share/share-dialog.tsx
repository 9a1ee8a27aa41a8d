import {useState} from 'react'
import type {ShareLinks} from '#machines/share-links/share-links.machine.ts'
import {Button} from '#ui/button.tsx'
import {Dialog} from '#ui/dialog.tsx'
import {Switch} from '#ui/forms/switch.tsx'
import {useText} from '#ui/text.tsx'
import {LoadedLinks, ShareList} from './share-list.tsx'
import styles from './share.module.css'

type ShareDialogProps = ShareLinks & {addressOf: (id: string) => string; onClose: () => void}

/** Makes links to a copy of a conversation, after saying what readers see, and lists those there are. */
export function ShareDialog({snapshot, send, addressOf, onClose}: ShareDialogProps) {
  const text = useText()
  const [attachments, setAttachments] = useState(false)
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
          onClick={() => send({type: 'link.make', attachments})}
        >
          {text('share.make')}
        </Button>
      }
    >
      <div className={styles.body}>
        <p className={styles.text}>{text('share.help')}</p>
        <p className={styles.text}>{text('share.unseen')}</p>
        <Switch
          id="share-attachments"
          label={text('share.attachments')}
          help={text('share.attachmentsHelp')}
          value={attachments}
          onChange={setAttachments}
        />
        <LinksOf snapshot={snapshot} send={send} addressOf={addressOf} />
      </div>
    </Dialog>
  )
}

function LinksOf({snapshot, send, addressOf}: Omit<ShareDialogProps, 'onClose'>) {
  const text = useText()
  return (
    <LoadedLinks snapshot={snapshot} send={send}>
      {snapshot.context.links.length > 0 && <h3 className={styles.heading}>{text('share.links')}</h3>}
      <ShareList snapshot={snapshot} send={send} label={text('share.links')} addressOf={addressOf} />
    </LoadedLinks>
  )
}
