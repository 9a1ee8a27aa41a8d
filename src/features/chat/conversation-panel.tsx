import {shallowEqual, useSelector} from '@xstate/react'
import {useMemo} from 'react'
import {modelGroups} from '#contract/models.ts'
import {failureText} from '#domain/failure.ts'
import {
  selectActiveKey,
  selectAnswering,
  selectFailure,
  selectItems,
  selectStatus,
  selectUnread,
} from '#machines/conversation-list/conversation-list.selectors.ts'
import {selectServedModels} from '#machines/provisioning/provisioning.selectors.ts'
import {segmentedClass} from '#ui/segmented-class.ts'
import {useText} from '#ui/text.tsx'
import {useChat, type ChatActors, type ChatPlace} from './chat.context.tsx'
import styles from './chat-screen.module.css'
import {ConversationListView} from './conversation-list-view.tsx'
import {conversationSections} from './conversation-sections.ts'
import {groupOfModel} from './model-catalogue.ts'
import {PlaceLink} from './place-link.tsx'

type ConversationPanelProps = {
  place: ChatPlace
  /** Called on navigation, to close the drawer around the panel. */
  onGo?: () => void
}

const noActions = {onRename: () => undefined, onRemove: () => undefined}

/** Content of the context panel: the group, a new chat, and the group's conversations. */
export function ConversationPanel({place, onGo}: ConversationPanelProps) {
  const text = useText()
  const {actors, isOpening} = useChat()
  return (
    <div className={styles.panel}>
      <nav className={styles.groups} aria-label={text('chat.group')}>
        <div className={segmentedClass.frame}>
          {modelGroups.map((group) => (
            <PlaceLink
              key={group}
              className={segmentedClass.option}
              place={{group, conversation: undefined}}
              aria-current={group !== place.group ? undefined : place.conversation === undefined ? 'page' : 'true'}
            >
              {text(`chat.${group}`)}
            </PlaceLink>
          ))}
        </div>
      </nav>
      {actors === undefined ? (
        <ConversationListView
          group={place.group}
          sections={[]}
          status={isOpening ? 'loading' : 'ready'}
          failure={undefined}
          activeKey={undefined}
          answering={[]}
          unread={[]}
          actions={noActions}
          onRetry={() => undefined}
          onGo={onGo}
        />
      ) : (
        <ConversationList actors={actors} place={place} onGo={onGo} />
      )}
    </div>
  )
}

function ConversationList({
  actors,
  place,
  onGo,
}: {
  actors: ChatActors
  place: ChatPlace
  onGo: (() => void) | undefined
}) {
  const {navigation, now} = useChat()
  const {conversations, provisioning} = actors
  const items = useSelector(conversations, selectItems)
  const status = useSelector(conversations, selectStatus)
  const failure = useSelector(conversations, selectFailure)
  const activeKey = useSelector(conversations, selectActiveKey)
  const answering = useSelector(conversations, selectAnswering, shallowEqual)
  const unread = useSelector(conversations, selectUnread, shallowEqual)
  const served = useSelector(provisioning, selectServedModels)
  // without an application there is no list to fail, and the start dialog says what to do
  const isFailed = status === 'error' && failure?.code !== 'not_applied'
  const sections = useMemo(
    () =>
      conversationSections(
        items.filter((record) => groupOfModel(record.model, served) === place.group),
        now(),
      ),
    [items, served, place.group, now],
  )
  const remove = (key: string) => {
    const listed = sections.flatMap(({records}) => records)
    const index = listed.findIndex((record) => record.key === key)
    const neighbour = listed[index + 1] ?? listed[index - 1]
    conversations.send({type: 'conversation.remove', key})
    if (key === activeKey) {
      navigation.go({group: place.group, conversation: neighbour && (neighbour.id ?? neighbour.key)}, {replace: true})
    }
  }
  return (
    <ConversationListView
      group={place.group}
      sections={sections}
      status={isFailed ? 'failed' : status === 'success' || status === 'error' ? 'ready' : 'loading'}
      failure={failure && failureText(failure)}
      activeKey={activeKey}
      answering={answering}
      unread={unread}
      actions={{
        onRename: (key, title) => conversations.send({type: 'conversation.rename', key, title}),
        onRemove: remove,
      }}
      onRetry={() => conversations.send({type: 'conversations.refresh'})}
      onGo={onGo}
    />
  )
}
