import {messageFiles} from '#domain/conversation.ts'
import {isImageUrl} from '#domain/image-extensions.ts'
import type {ConversationActor} from '#machines/conversation/conversation.machine.ts'
import {selectMessages} from '#machines/conversation/conversation.selectors.ts'
import type {CarriedFile} from './model-catalogue.ts'

type Snapshot = ReturnType<ConversationActor['getSnapshot']>

type SentFile = {url: string; name?: string; size?: number | undefined}

/** A file that was uploaded, as models are asked whether they take it; the address has the name where none is known. */
export const carriedFile = ({url, name = url.split(/[?#]/, 1)[0] ?? url, size}: SentFile): CarriedFile => ({
  ...{name, size},
  isImage: isImageUrl(name) || isImageUrl(url),
})

/** The files that the asked questions of a conversation carry, or those before the message at `end`. */
export const askedFilesOf = (snapshot: Snapshot, end?: number): CarriedFile[] =>
  selectMessages(snapshot)
    .slice(0, end)
    .flatMap(({role, content}) => (role === 'user' ? messageFiles(content).map(carriedFile) : []))

/** The files that the questions of a conversation carry, also those that wait for their turn. */
export const filesOf = (snapshot: Snapshot, end?: number): CarriedFile[] => [
  ...askedFilesOf(snapshot, end),
  ...snapshot.context.followUps
    .getSnapshot()
    .context.items.flatMap(({references, sizes}) => references.map((url) => carriedFile({url, size: sizes?.[url]}))),
]
