import {useSelector} from '@xstate/react'
import {useMemo} from 'react'
import {modelGroupNames, modelGroups, type ModelGroup} from '#contract/models.ts'
import type {ConversationRecord} from '#domain/conversation.ts'
import {failureText, type Failure} from '#domain/failure.ts'
import {selectFailure, selectItems, selectStatus} from '#machines/conversation-list/conversation-list.selectors.ts'
import {selectIsOnline} from '#machines/environment/environment.selectors.ts'
import {selectServedModels} from '#machines/provisioning/provisioning.selectors.ts'
import {segmentedClass} from '#ui/segmented-class.ts'
import {useText, type Text} from '#ui/text.tsx'
import {useChat, type ChatLocation} from './chat.context.tsx'
import styles from './chat-screen.module.css'
import {ConversationListView} from './conversation-list-view.tsx'
import {groupOfModel} from './model-catalogue.ts'
import {LocationLink} from './app-links.tsx'
import {useConversationRows} from './use-conversation-rows.ts'

type ConversationPanelProps = {
  location: ChatLocation
  /** The groups that the site offers; the group of the location is shown in any case. */
  groups: readonly ModelGroup[]
  /** Called on navigation, to close the drawer around the panel. */
  onGo?: () => void
}

/** Content of the context panel: the group, a new chat, and the group's conversations. */
export function ConversationPanel({location, groups, onGo}: ConversationPanelProps) {
  const text = useText()
  return (
    <div className={styles.panel}>
      <nav className={styles.groups} aria-label={text('chat.group')}>
        <div className={segmentedClass.frame}>
          {modelGroups
            .filter((group) => group === location.group || groups.includes(group))
            .map((group) => (
              <LocationLink
                key={group}
                className={segmentedClass.option}
                location={{group, conversation: undefined}}
                aria-current={
                  group !== location.group ? undefined : location.conversation === undefined ? 'page' : 'true'
                }
              >
                {modelGroupNames[group]}
              </LocationLink>
            ))}
        </div>
      </nav>
      <ConversationList location={location} onGo={onGo} />
    </div>
  )
}

const noConversations: readonly ConversationRecord[] = []

/** Why the list could not be read. Where no server answered there is no code to show, but a line about the network. */
function reasonOf(text: Text, failure: Failure | undefined, isOnline: boolean | undefined) {
  if (failure?.lost !== true) return {failure: failure && failureText(failure)}
  return {help: text(isOnline === false ? 'index.offline' : 'index.startFailedHelp')}
}

/** One list with and without a session: a focus in it stays where it was when the session comes. */
function ConversationList({location, onGo}: {location: ChatLocation; onGo: (() => void) | undefined}) {
  const text = useText()
  const {actors, isOpening} = useChat()
  const conversations = actors?.conversations
  const items = useSelector(conversations, (snapshot) => snapshot && selectItems(snapshot)) ?? noConversations
  const status = useSelector(conversations, (snapshot) => snapshot && selectStatus(snapshot))
  const failure = useSelector(conversations, (snapshot) => snapshot && selectFailure(snapshot))
  const isOnline = useSelector(
    conversations?.getSnapshot().context.environment,
    (snapshot) => snapshot && selectIsOnline(snapshot),
  )
  const servedModels = useSelector(actors?.provisioning, selectServedModels)
  const records = useMemo(
    () => items.filter(({model}) => groupOfModel(model, servedModels) === location.group),
    [items, servedModels, location.group],
  )
  const Rows = useConversationRows(items.length > 0)
  // without an application there is no list to fail, and the start dialog says what to do
  const isFailed = status === 'error' && failure?.code !== 'not_applied'
  const isUnknown = status === undefined ? isOpening : status !== 'success' && status !== 'error'
  const isEmpty = records.length === 0
  const view = isFailed && isEmpty ? 'failed' : isUnknown || !isEmpty ? 'loading' : 'ready'
  return (
    <ConversationListView
      group={location.group}
      status={view}
      {...reasonOf(text, failure, isOnline)}
      onRetry={() => conversations?.send({type: 'conversations.refresh'})}
      onGo={onGo}
    >
      {actors && Rows && (!isEmpty || view === 'ready') ? (
        <Rows actors={actors} location={location} all={items} records={records} onGo={onGo} />
      ) : undefined}
    </ConversationListView>
  )
}
