import {useActor} from '@xstate/react'
import {useMemo} from 'react'
import {fromPromise} from 'xstate'
import {createSharesApi} from '#api/shares.ts'
import {mostShares, type ShareLink} from '#contract/shares.ts'
import {
  shareLinksMachine,
  type LinkList,
  type NewLink,
  type RenewedLink,
  type ShareLinks,
  type ShareLinksInput,
} from '#machines/share-links/share-links.machine.ts'
import {useAppActor, useSessionActor} from '../actors.context.tsx'
import {useAppInfo} from '../app-info.tsx'
import {createPendingDeletionsLogic} from '../chat/pending-deletions.ts'
import {withUnseenEnd} from '../unseen-end.ts'

const unrevoked = 'share.revokeFailed'
const madeNotice = 'share.made'

/** Address of a link for readers. */
export const shareAddress = (id: string): string => `${location.origin}/share/${id}`

/**
 * The links of a conversation, or of all; `conversation` is that of the first render. A link that is made, renewed or
 * revoked is so though its view is left; one that is made then is told of, since it is public.
 */
export function useShareLinks(conversation: string | undefined): ShareLinks {
  const {services, chat} = useAppInfo()
  const list = useSessionActor('conversations')
  const notices = useAppActor('notices')
  const logic = useMemo(() => {
    const shares = services.client(createSharesApi)
    return shareLinksMachine.provide({
      actors: {
        readLinks: fromPromise<LinkList, ShareLinksInput>(async ({input, signal}) => {
          const one = input.conversation === undefined ? {} : {conversation_id: input.conversation}
          // a server that has not been updated yet does not say whether there are files
          const {items, files} = await shares.list({limit: mostShares, ...one}, signal)
          return {links: items, hasFiles: files ?? true}
        }),
        pendingDeletions: createPendingDeletionsLogic(() => list, chat.openChanges, true),
        makeLink: fromPromise<ShareLink, NewLink>(async ({input: {conversation, attachments}, signal}) => {
          const link = await shares.create({conversation_id: conversation, attachments})
          if (signal.aborted)
            notices.send({type: 'notice.show', notice: {id: madeNotice, kind: 'success', textId: madeNotice}})
          return link
        }),
        renewLink: fromPromise<ShareLink, RenewedLink>(({input: {id, attachments}}) =>
          shares.update(id, {attachments}),
        ),
        revokeLink: fromPromise<void, {id: string}>(({input: {id}, signal}) =>
          withUnseenEnd(shares.revoke(id), signal, () =>
            notices.send({type: 'notice.show', notice: {id: unrevoked, kind: 'error', textId: unrevoked}}),
          ),
        ),
      },
    })
  }, [services, chat, list, notices])
  const [snapshot, send] = useActor(logic, {input: {conversation}})
  return {snapshot, send}
}
