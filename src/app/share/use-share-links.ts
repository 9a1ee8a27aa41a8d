import {useActor} from '@xstate/react'
import {useMemo} from 'react'
import {fromPromise} from 'xstate'
import {createSharesApi} from '#api/shares.ts'
import {mostShares, type ShareLink} from '#contract/shares.ts'
import {
  shareLinksMachine,
  type NewLink,
  type RenewedLink,
  type ShareLinks,
  type ShareLinksInput,
} from '#machines/share-links/share-links.machine.ts'
import {useSessionActor} from '../actors.context.tsx'
import {useAppInfo} from '../app-info.tsx'
import {createPendingDeletionsLogic} from '../chat/pending-deletions.ts'

/** Address of a link for readers. */
export const shareAddress = (id: string): string => `${location.origin}/share/${id}`

/** The links of a conversation, or of all; `conversation` is that of the first render. */
export function useShareLinks(conversation: string | undefined): ShareLinks {
  const {services, chat} = useAppInfo()
  const list = useSessionActor('conversations')
  const logic = useMemo(() => {
    const shares = services.client(createSharesApi)
    return shareLinksMachine.provide({
      actors: {
        readLinks: fromPromise<readonly ShareLink[], ShareLinksInput>(async ({input, signal}) => {
          const one = input.conversation === undefined ? {} : {conversation_id: input.conversation}
          return (await shares.list({limit: mostShares, ...one}, signal)).items
        }),
        pendingDeletions: createPendingDeletionsLogic(() => list, chat.openChanges, true),
        makeLink: fromPromise<ShareLink, NewLink>(({input: {conversation, attachments}, signal}) =>
          shares.create({conversation_id: conversation, attachments}, signal),
        ),
        renewLink: fromPromise<ShareLink, RenewedLink>(({input: {id, attachments}, signal}) =>
          shares.update(id, {attachments}, signal),
        ),
        revokeLink: fromPromise<void, {id: string}>(({input, signal}) => shares.revoke(input.id, signal)),
      },
    })
  }, [services, chat, list])
  const [snapshot, send] = useActor(logic, {input: {conversation}})
  return {snapshot, send}
}
