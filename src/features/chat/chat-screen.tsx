import {useSelector} from '@xstate/react'
import {Suspense, useCallback, useEffect, useMemo, useRef, useState, type Ref} from 'react'
import {offerCommands} from '#browser/commands.ts'
import {conversationTitle} from '#domain/conversation-title.ts'
import type {QuestionContent} from '#domain/conversation.ts'
import type {ConversationActor} from '#machines/conversation/conversation.machine.ts'
import {
  selectCanStop,
  selectIsUnused,
  selectMessages,
  selectRejection,
} from '#machines/conversation/conversation.selectors.ts'
import {selectIsAbsent} from '#machines/conversation-list/conversation-list.selectors.ts'
import {loadPart} from '#ui/load-part.ts'
import {useText} from '#ui/text.tsx'
import {partView} from '#ui/use-lazy.ts'
import {coarsePointer, useMediaQuery} from '#ui/use-media-query.ts'
import {useRootMark} from '#ui/use-root-mark.ts'
import {draftKeyOf, instructionsKey, useChat, type ChatActors, type ChatLocation} from './chat.context.tsx'
import {Composer, type ComposerHandle} from './composer.tsx'
import styles from './chat-screen.module.css'
import type {ConversationHandle} from './conversation-thread.tsx'
import {Dock} from './dock.tsx'
import {EarlyScreen} from './early-screen.tsx'
import {Greeting} from './greeting.tsx'
import {loadViews} from './load-views.ts'
import {dropModel, useKeptModel} from './kept-model.ts'
import {reasonOf} from './model-note.ts'
import {ThreadSkeleton} from './thread-skeleton.tsx'
import {useChatModels, type ChatModels} from './use-chat-models.ts'
import {useConversationAt} from './use-conversation-at.ts'

// Markdown and the windowed list load with the first message, so that an empty chat paints first
// (docs/architecture.md §7).
const loadThread = () => loadPart(loadViews)
const ConversationThread = partView(loadViews, (views) => views.ConversationThread)

const MissingConversation = partView(loadViews, (views) => views.MissingConversation)
const ComposerNotes = partView(loadViews, (views) => views.ComposerNotes)

/** The chat in the workspace: thread and composer of the conversation in the address. */
export function ChatScreen({location}: {location: ChatLocation}) {
  const {actors} = useChat()
  const firstFocus = useFirstFocus(location)
  const actor = useConversationAt(actors, location)
  const isAbsent = useSelector(actors?.conversations, (snapshot) => snapshot !== undefined && selectIsAbsent(snapshot))
  const key = useSelector(actor, (snapshot) => snapshot?.context.key)
  if (actors !== undefined && actor !== undefined)
    return <OpenConversation key={key} actors={actors} actor={actor} location={location} firstFocus={firstFocus} />
  if (location.conversation === undefined) return <EarlyScreen location={location} />
  // no field here: its text would go to another conversation than the one that loads
  return (
    <Suspense fallback={<ThreadSkeleton />}>
      {isAbsent && actors !== undefined ? (
        <MissingConversation actor={actors.conversations} group={location.group} />
      ) : (
        <ThreadSkeleton />
      )}
    </Suspense>
  )
}

/** The element that had the focus when the user came here, perhaps long before the conversation is here. */
function useFirstFocus({group, conversation}: ChatLocation) {
  const [entry, setEntry] = useState(() => ({group, conversation, focus: document.activeElement}))
  if (entry.group !== group || entry.conversation !== conversation)
    setEntry({group, conversation, focus: document.activeElement})
  return entry.focus
}

type AskParts = Pick<ChatModels, 'chosen' | 'missing'> & {
  actor: ConversationActor
  location: ChatLocation
  isEmpty: boolean
  draftKey: string
}

/** Asks a question of the chosen model; returns whether the conversation takes one now. */
function useAsk({actor, location, chosen, missing, isEmpty, draftKey}: AskParts) {
  const {drafts, models, newKey, now} = useChat()
  return (content: QuestionContent) => {
    if (chosen !== undefined && chosen.name !== actor.getSnapshot().context.model) {
      actor.send({type: 'model.choose', model: chosen.name})
    }
    const instructions = instructionsKey(location.group)
    const preset = isEmpty ? drafts.read(instructions)?.text : undefined
    const prompt = {type: 'prompt.submit' as const, ...content, key: newKey(), at: now(), preset}
    if (!actor.getSnapshot().can(prompt)) return false
    drafts.close(draftKey)
    dropModel(drafts, actor.getSnapshot().context)
    if (isEmpty) drafts.close(instructions)
    actor.send(prompt)
    // the user asked despite the note: forget the stored model that is missing
    if (missing !== undefined && chosen !== undefined) models.write(location.group, chosen.name)
    return true
  }
}

/** The title of the conversation, for those who hear the page. */
function ConversationHeading({actor}: {actor: ConversationActor}) {
  const text = useText()
  const messages = useSelector(actor, selectMessages)
  const storedTitle = useSelector(actor, ({context}) => context.title)
  // not in a selector, which each delta of an answer would run
  const title = useMemo(() => conversationTitle({title: storedTitle, messages}), [storedTitle, messages])
  return (
    <h1 className="visually-hidden" tabIndex={-1}>
      {title || text('chat.untitled')}
    </h1>
  )
}

type OpenConversationProps = {actor: ConversationActor; location: ChatLocation; firstFocus: Element | null}

type ConversationFieldProps = OpenConversationProps & {
  ref: Ref<ComposerHandle>
  models: ChatModels
  isEmpty: boolean
  onAsked: () => void
  onEditLast: () => void
  onFocus: () => void
}

/** The message field of a conversation, which asks and stops. */
function ConversationField(props: ConversationFieldProps) {
  const {ref, actor, location, firstFocus, models, isEmpty, onAsked, onEditLast, onFocus} = props
  const {drafts, files, navigation, threadWords} = useChat()
  const isTouch = useMediaQuery(coarsePointer)
  // what is open over the page keeps the focus, and another field in which the user began to type meanwhile; a phone
  // keeps its keyboard for who typed into the early screen, which is there until this one is
  const [isElsewhere] = useState(() => {
    const focus = document.activeElement
    return focus?.matches(isTouch ? ':not(textarea)' : focus === firstFocus ? '[data-open] *' : '[data-open] *, input')
  })
  const busy = useSelector(actor, (snapshot) => snapshot.hasTag('busy'))
  const canStop = useSelector(actor, selectCanStop)
  const rejection = useSelector(actor, selectRejection)
  const draftKey = draftKeyOf(location.group, actor.getSnapshot())
  const ask = useAsk({actor, location, chosen: models.chosen, missing: models.missing, isEmpty, draftKey})
  const stop = useCallback(() => actor.send({type: 'answer.stop'}), [actor])
  useEffect(() => offerCommands({focusField: onFocus, ...(canStop && {stop})}), [canStop, stop, onFocus])
  return (
    <Composer
      ref={ref}
      busy={busy}
      canStop={canStop}
      canSend
      isFirst={isEmpty}
      model={models.chosen}
      models={models.offered}
      autoFocus={isElsewhere !== true}
      draftKey={draftKey}
      draft={drafts.read(draftKey)}
      returned={rejection}
      files={files}
      onDraft={(draft) => {
        drafts.write(draftKey, draft)
        // typing announces a message, so load early; what fails is loaded again when the thread shows
        if (draft === undefined) return
        threadWords.loadAhead().catch(() => undefined)
        loadThread().catch(() => undefined)
      }}
      onSend={(content) => {
        // the question goes along to the comparison
        const isAsked = !navigation.isComparing() && ask(content)
        if (isAsked) onAsked()
        return isAsked
      }}
      onStop={stop}
      onEditLast={onEditLast}
      onChooseModel={models.choose}
    />
  )
}

function OpenConversation({actors, ...field}: OpenConversationProps & {actors: ChatActors}) {
  const {actor, location} = field
  const text = useText()
  const thread = useRef<ConversationHandle>(null)
  const composer = useRef<ComposerHandle>(null)
  const focusComposer = useCallback(() => composer.current?.focus(), [])
  const insert = (addition: string) => composer.current?.insert(addition)
  useKeptModel(actor)
  const models = useChatModels(actors, location.group, actor)
  const {chosen, missing} = models
  const isEmpty = useSelector(actor, selectIsUnused)
  const isRejected = useSelector(actor, (snapshot) => selectRejection(snapshot) !== undefined)
  useRootMark('dock', !isEmpty)
  return (
    <div className={styles.screen} data-empty={isEmpty || undefined}>
      {isEmpty ? (
        <Greeting />
      ) : (
        <>
          <ConversationHeading actor={actor} />
          <Suspense fallback={<ThreadSkeleton />}>
            <ConversationThread
              ref={thread}
              actor={actor}
              location={location}
              served={models.served}
              models={models.offered}
              unusable={reasonOf(chosen?.disabled, text)}
              focusField={focusComposer}
            />
          </Suspense>
        </>
      )}
      <Dock onSuggest={isEmpty ? insert : undefined}>
        {(!isEmpty || isRejected || missing !== undefined) && (
          <Suspense>
            <ComposerNotes actor={actor} missing={missing} chosen={chosen} onLost={insert} />
          </Suspense>
        )}
        <ConversationField
          {...field}
          ref={composer}
          models={models}
          isEmpty={isEmpty}
          onAsked={() => thread.current?.jump()}
          onEditLast={() => thread.current?.editLast()}
          onFocus={focusComposer}
        />
      </Dock>
    </div>
  )
}
