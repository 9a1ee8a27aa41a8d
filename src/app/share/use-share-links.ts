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
import {awaitDeletions} from '../chat/delete-pending.ts'

/** Address of a link for readers. */
export const shareAddress = (id: string): string => `${location.origin}/share/${id}`

/** The links of a conversation, or of all; `conversation` is that of the first render. */
export function useShareLinks(conversation: string | undefined): ShareLinks {
  const {services, chat} = useAppInfo()
  const list = useSessionActor('conversations')
  const logic = useMemo(() => {
    const shares = services.client(createSharesApi)
    /** A reader gets nothing that its owner deleted a moment ago. */
    const withoutDeleted = async (key: string, signal: AbortSignal) => {
      if (list !== undefined) await awaitDeletions(list, [key], chat.openChanges, signal)
    }
    return shareLinksMachine.provide({
      actors: {
        readLinks: fromPromise<readonly ShareLink[], ShareLinksInput>(async ({input, signal}) => {
          const one = input.conversation === undefined ? {} : {conversation_id: input.conversation}
          return (await shares.list({limit: mostShares, ...one}, signal)).items
        }),
        makeLink: fromPromise<ShareLink, NewLink>(async ({input: {conversation, attachments}, signal}) => {
          await withoutDeleted(conversation, signal)
          return shares.create({conversation_id: conversation, attachments}, signal)
        }),
        renewLink: fromPromise<ShareLink, RenewedLink>(async ({input: {id, conversation, attachments}, signal}) => {
          await withoutDeleted(conversation, signal)
          return shares.update(id, {attachments}, signal)
        }),
        revokeLink: fromPromise<void, {id: string}>(({input, signal}) => shares.revoke(input.id, signal)),
      },
    })
  }, [services, chat, list])
  const [snapshot, send] = useActor(logic, {input: {conversation}})
  return {snapshot, send}
}
