import {ShareDialog as Dialog} from '#features/share/share-dialog.tsx'
import {DeletedElsewhere} from '#features/chat/deleted-elsewhere.tsx'
import {useWords} from '../use-words.ts'
import {shareAddress, useShareLinks} from './use-share-links.ts'

type ShareDialogProps = {
  /** The server's id. */
  conversation: string
  onClose: () => void
}

/** Shares a conversation; suspends until its messages are there. */
export function ShareDialog({conversation, onClose}: ShareDialogProps) {
  useWords('account')
  const links = useShareLinks(conversation)
  return (
    <>
      <DeletedElsewhere conversations={conversation} />
      <Dialog {...links} addressOf={shareAddress} onClose={onClose} />
    </>
  )
}
