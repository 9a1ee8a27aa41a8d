import {useActor} from '@xstate/react'
import {useState} from 'react'
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
import {useAppInfo} from '../app-info.tsx'

/** Address of a link for readers. */
export const shareAddress = (id: string): string => `${location.origin}/share/${id}`

/** The links of a conversation, or of all; `conversation` is that of the first render. */
export function useShareLinks(conversation: string | undefined): ShareLinks {
  const {services} = useAppInfo()
  const [logic] = useState(() => {
    const shares = services.client(createSharesApi)
    return shareLinksMachine.provide({
      actors: {
        readLinks: fromPromise<readonly ShareLink[], ShareLinksInput>(async ({input, signal}) => {
          const one = input.conversation === undefined ? {} : {conversation_id: input.conversation}
          return (await shares.list({limit: mostShares, ...one}, signal)).items
        }),
        makeLink: fromPromise<ShareLink, NewLink>(({input, signal}) =>
          shares.create({conversation_id: input.conversation, attachments: input.attachments}, signal),
        ),
        renewLink: fromPromise<ShareLink, RenewedLink>(({input, signal}) =>
          shares.update(input.id, {attachments: input.attachments}, signal),
        ),
        revokeLink: fromPromise<void, {id: string}>(({input, signal}) => shares.revoke(input.id, signal)),
      },
    })
  })
  const [snapshot, send] = useActor(logic, {input: {conversation}})
  return {snapshot, send}
}
