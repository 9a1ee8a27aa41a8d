import {useSelector} from '@xstate/react'
import {Suspense, useState, type ReactNode} from 'react'
import type {ModelGroup} from '#contract/models.ts'
import type {ConversationRecord} from '#domain/conversation.ts'
import {selectItem, selectItems} from '#machines/conversation-list/conversation-list.selectors.ts'
import {selectOffersMarks} from '#machines/conversation-list/list-rows.selectors.ts'
import {selectServedModels} from '#machines/provisioning/provisioning.selectors.ts'
import type {MenuEntry} from '#ui/menu-entry.ts'
import {useText} from '#ui/text.tsx'
import {lazyView} from '#ui/use-lazy.ts'
import {useChat, type ChatActors} from '../chat.context.tsx'
import {DeletedElsewhere} from '../deleted-elsewhere.tsx'
import {groupOfModel} from '../model-catalogue.ts'
import {conversationEntries} from './conversation-entries.tsx'
import {conversationSections} from './conversation-sections.ts'
import {filteredBy} from './labels.ts'
import {useExport} from './use-export.ts'
import {useListActions} from './use-list-actions.ts'

const ConversationDialog = lazyView(async () => (await import('./conversation-dialogs.tsx')).ConversationDialog)
const ExportDialog = lazyView(async () => (await import('./export-dialog.tsx')).ExportDialog)

type OpenConversation = {
  actors: ChatActors
  group: ModelGroup
  /** Key of the conversation on screen. */
  conversationKey: string
  /** Undefined where it cannot be shared, or has a button for it. */
  onShare: (() => void) | undefined
}

/** The menu of the shown conversation's row, and what an entry of it opened. Nothing of one that is not listed. */
export function useConversationMenu({actors, group, conversationKey, onShare}: OpenConversation): {
  entries: readonly MenuEntry[]
  dialog: ReactNode
} {
  const text = useText()
  const {now} = useChat()
  const {conversations, provisioning} = actors
  const record = useSelector(conversations, (snapshot) => selectItem(snapshot, conversationKey))
  const offersMarks = useSelector(conversations, selectOffersMarks)
  const [kind, setKind] = useState<'rename' | 'remove' | 'label'>()
  const download = useExport(record === undefined ? [] : [record])
  const listed = () => {
    const servedModels = selectServedModels(provisioning.getSnapshot())
    const own = selectItems(conversations.getSnapshot()).filter(
      ({model}) => groupOfModel(model, servedModels) === group,
    )
    const rows = filteredBy({show: record?.archived === true ? 'archive' : 'all'}, own)
    return conversationSections(rows, now()).flatMap((section): ConversationRecord[] => section.records)
  }
  const actions = useListActions({
    actors,
    location: {group},
    listed,
    activeKey: conversationKey,
    onLabel: () => setKind('label'),
    onExport: download.start,
  })
  // stays closed when its conversation is listed again
  if (record === undefined && kind !== undefined) setKind(undefined)
  const begin = {rename: () => setKind('rename'), remove: () => setKind('remove'), share: onShare}
  const isOpen = kind !== undefined || download.current !== undefined
  const dialog = (
    <>
      {isOpen && <DeletedElsewhere conversations={conversationKey} />}
      <Suspense>
        {record !== undefined && kind !== undefined && (
          <ConversationDialog {...{kind, actors, record, actions}} onClose={() => setKind(undefined)} />
        )}
        {download.current !== undefined && <ExportDialog {...download.current} onClose={download.close} />}
      </Suspense>
    </>
  )
  const entries = record === undefined ? [] : conversationEntries(text, {record, offersMarks, actions}, begin)
  return {entries, dialog}
}
