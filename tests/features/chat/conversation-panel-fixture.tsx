import {concat, NEVER, of} from 'rxjs'
import {createActor, fromEventObservable, fromPromise} from 'xstate'
import {modelGroups, type ModelGroup} from '#contract/models.ts'
import {searchEntry} from '#domain/search-entry.ts'
import {createSearchIndex, type SearchHit} from '#domain/search-index.ts'
import {type ChatActors, type ChatPorts} from '#features/chat/chat.context.tsx'
import {ConversationPanel} from '#features/chat/conversation-panel.tsx'
import {selectItems} from '#machines/conversation-list/conversation-list.selectors.ts'
import {
  searchIndexMachine,
  type IndexChanges,
  type RecordsChanged,
} from '#machines/search-index/search-index.machine.ts'
import {stopAfterTest} from '#tests/stop-after-test.ts'
import {renderView} from '#tests/ui/render.tsx'
import {InChat, createChat, createChatActors} from './chat-fixture.tsx'
// loaded beforehand, so that a busy machine does not wait for it inside a test
import '#ui/overlays/menu-overlay.tsx'

const location = {group: 'chatgpt', conversation: undefined} as const

/** The search over an index in this process, which can be broken for one call. */
function createSearch() {
  let index = createSearchIndex()
  let isBroken = false
  const startSearch = async (conversations: ChatActors['conversations']) => {
    const records = selectItems(conversations.getSnapshot())
    const machine = searchIndexMachine.provide({
      actors: {
        records: fromEventObservable<RecordsChanged, undefined>(() =>
          concat(of({type: 'records.changed' as const, records}), NEVER),
        ),
        updateIndex: fromPromise<void, IndexChanges>(async ({input}) =>
          index.put(input.records.map((record) => searchEntry(record))),
        ),
        searchConversations: fromPromise<readonly SearchHit[], {query: string}>(async ({input}) => {
          if (isBroken) throw new Error('broken')
          return index.find(input.query, 100)
        }),
        resetIndex: fromPromise<void, undefined>(async () => {
          isBroken = false
          index = createSearchIndex()
        }),
      },
    })
    const actor = createActor(machine).start()
    stopAfterTest(actor)
    return actor
  }
  return {startSearch, breakSearch: () => (isBroken = true)}
}

/** The list of conversations with the groups of models above it. */
export function showPanel(
  options: Parameters<typeof createChatActors>[0] = {},
  locale: 'en' | 'ar' = 'en',
  groups: readonly ModelGroup[] = modelGroups,
  openSettings: ChatPorts['openSettings'] = () => undefined,
) {
  const created = createChatActors(options)
  const ports = createChat(created.actors)
  const {startSearch, breakSearch} = createSearch()
  const show = () =>
    renderView(
      <InChat chat={{...ports.chat, startSearch, openSettings}}>
        <ConversationPanel location={location} groups={groups} />
      </InChat>,
      {locale},
    )
  let view = show()
  /** Closes and opens the panel as a drawer around it does. */
  const closeAndOpen = () => {
    view.unmount()
    view = show()
  }
  return {...created, ...ports, breakSearch, closeAndOpen}
}
