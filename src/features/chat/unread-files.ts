import {messageReferences} from '#domain/conversation.ts'
import {isImageUrl} from '#domain/image-extensions.ts'
import type {ConversationActor} from '#machines/conversation/conversation.machine.ts'
import {selectMessages} from '#machines/conversation/conversation.selectors.ts'
import type {OfferedModel} from './model-catalogue.ts'
import {refusalOf} from './attachment.ts'

type Snapshot = ReturnType<ConversationActor['getSnapshot']>

/** Addresses of the files that the asked questions of a conversation carry, or those before the message at `end`. */
export const askedFilesOf = (snapshot: Snapshot, end?: number): string[] =>
  selectMessages(snapshot)
    .slice(0, end)
    .flatMap(({role, content}) => (role === 'user' ? messageReferences(content) : []))

/** Addresses of the files that the questions of a conversation carry, also those that wait for their turn. */
export const filesOf = (snapshot: Snapshot, end?: number): string[] => [
  ...askedFilesOf(snapshot, end),
  ...snapshot.context.followUps.getSnapshot().context.items.flatMap(({references}) => references),
]

/** Why a model does not take some of these files; undefined where it takes all. */
export const refusalOfFiles = (addresses: readonly string[], model: OfferedModel) =>
  addresses.map((address) => refusalOf({isImage: isImageUrl(address)}, model)).find((refusal) => refusal !== undefined)
