import {use} from 'react'
import {ShareDialog as Dialog} from '#features/share/share-dialog.tsx'
import {useAppInfo} from '../app-info.tsx'
import {shareAddress, useShareLinks} from './use-share-links.ts'

let words: Promise<void> | undefined

type ShareDialogProps = {
  /** The server's id. */
  conversation: string
  onClose: () => void
}

/** Shares a conversation; suspends until its messages are there. */
export function ShareDialog({conversation, onClose}: ShareDialogProps) {
  const {prepareWords} = useAppInfo()
  use((words ??= prepareWords('account')))
  const links = useShareLinks(conversation)
  return <Dialog {...links} addressOf={shareAddress} onClose={onClose} />
}
