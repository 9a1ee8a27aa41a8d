import {useSelector} from '@xstate/react'
import {lazy, Suspense, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState} from 'react'
import {offerCommands} from '#browser/commands.ts'
import {conversationTitle} from '#domain/conversation-title.ts'
import type {ConversationActor} from '#machines/conversation/conversation.machine.ts'
import {
  selectCanStop,
  selectIsSettled,
  selectIsUnused,
  selectMessages,
  selectRejection,
} from '#machines/conversation/conversation.selectors.ts'
import {selectIsAbsent} from '#machines/conversation-list/conversation-list.selectors.ts'
import {selectApplication} from '#machines/provisioning/provisioning.selectors.ts'
import {loadPart} from '#ui/load-part.ts'
import {useText} from '#ui/text.tsx'
import {lazyView} from '#ui/use-lazy.ts'
import {coarsePointer, useMediaQuery} from '#ui/use-media-query.ts'
import {draftKeyOf, instructionsKey, newDraftKey, useChat, type ChatActors, type ChatPlace} from './chat.context.tsx'
import {Composer, type ComposerHandle} from './composer.tsx'
import styles from './chat-screen.module.css'
import type {Draft} from './draft.types.ts'
import {Greeting, Suggestions} from './greeting.tsx'
import {loadViews} from './load-views.ts'
import {chooseModel} from './model-catalogue.ts'
import {reasonOf} from './model-note.ts'
import type {ThreadHandle} from './thread-view.tsx'
import {ThreadSkeleton} from './thread-skeleton.tsx'
import {useChatModels} from './use-chat-models.ts'
import {useConversationAt} from './use-conversation-at.ts'

// Markdown and the windowed list load with the first message, so that an empty chat paints first
// (docs/architecture.md §7).
const loadThread = () => loadPart(loadViews)
const ConversationThread = lazy(async () => ({default: (await loadThread()).ConversationThread}))

const MissingConversation = lazyView(async () => (await import('./list/missing-conversation.tsx')).MissingConversation)
const ComposerNotes = lazyView(async () => (await loadViews()).ComposerNotes)

/** The chat in the workspace: thread and composer of the conversation in the address. */
export function ChatScreen({place}: {place: ChatPlace}) {
  const {actors} = useChat()
  const actor = useConversationAt(actors, place)
  const isAbsent = useSelector(actors?.conversations, (snapshot) => snapshot !== undefined && selectIsAbsent(snapshot))
  const key = useSelector(actor, (snapshot) => snapshot?.context.key)
  if (actors !== undefined && actor !== undefined)
    return <OpenConversation key={key} actors={actors} actor={actor} place={place} />
  if (place.conversation === undefined) return <EarlyScreen place={place} />
  // no field here: its text would go to another conversation than the one that loads
  return (
    <Suspense fallback={<ThreadSkeleton />}>
      {isAbsent && actors !== undefined ? (
        <MissingConversation actor={actors.conversations} group={place.group} />
      ) : (
        <ThreadSkeleton />
      )}
    </Suspense>
  )
}

/**
 * The chat before questions can be asked. Typed text is kept, also through a sign-in; a question sent meanwhile goes
 * out once the chat is ready.
 */
function EarlyScreen({place: {group}}: {place: ChatPlace}) {
  const {actors, isOpening, files, drafts, models, takeEarlyQuestion} = useChat()
  const text = useText()
  const composer = useRef<ComposerHandle>(null)
  const {offered, chosen} = chooseModel(group, [], models.read(group))
  const draftKey = newDraftKey(group)
  const [isAsked, setIsAsked] = useState(false)
  /** A question that was asked before the app was there stays asked until it is changed. */
  const askedEarly = useRef<string>(undefined)
  const keep = (draft: Draft | undefined) => {
    drafts.write(draftKey, draft)
    setIsAsked(draft?.isAsked === true)
  }
  useLayoutEffect(() => {
    const early = takeEarlyQuestion()
    if (early === undefined) return
    if (early.isAsked) askedEarly.current = early.text
    if (early.text !== '') composer.current?.insert(early.text)
    else if (early.isFocused) composer.current?.focus()
    // eslint-disable-next-line react-hooks/exhaustive-deps -- taken once, when the screen takes the place of the first paint
  }, [])
  return (
    <div className={styles.screen} data-empty="true">
      <Greeting />
      <div className={styles.dock}>
        <div className={styles.column}>
          <Composer
            ref={composer}
            busy={isAsked}
            canStop={isAsked}
            canSend={!isAsked && (isOpening || actors !== undefined)}
            isFirst
            model={chosen}
            models={offered}
            draftKey={draftKey}
            draft={drafts.read(draftKey)}
            files={files}
            onDraft={(draft) => {
              if (draft?.text !== askedEarly.current) askedEarly.current = undefined
              keep(draft && {...draft, isAsked: draft.text === askedEarly.current})
            }}
            onSend={(text) => {
              keep({references: [], ...drafts.read(draftKey), text, isAsked: true})
              return false
            }}
            onStop={() => {
              askedEarly.current = undefined
              const draft = drafts.read(draftKey)
              keep(draft && {...draft, isAsked: false})
            }}
            onEditLast={() => undefined}
            onChooseModel={(name) => models.write(group, name)}
          />
          <Suggestions onSuggest={(suggestion) => composer.current?.insert(suggestion)} />
          <p className={styles.disclaimer}>{text('chat.disclaimer')}</p>
        </div>
      </div>
    </div>
  )
}

/** The page says that its field is docked: what floats over it keeps clear. */
function useDock(isDocked: boolean) {
  useLayoutEffect(() => {
    const {dataset} = document.documentElement
    if (isDocked) dataset.dock = ''
    return () => {
      delete dataset.dock
    }
  }, [isDocked])
}

type AskParts = Pick<ReturnType<typeof useChatModels>, 'chosen' | 'missing'> & {
  actor: ConversationActor
  place: ChatPlace
  isEmpty: boolean
  draftKey: string
}

/** Asks a question of the chosen model; returns whether the conversation takes one now. */
function useAsk({actor, place, chosen, missing, isEmpty, draftKey}: AskParts) {
  const {drafts, models, newKey, now} = useChat()
  return (question: string, references: string[]) => {
    if (chosen !== undefined && chosen.name !== actor.getSnapshot().context.model) {
      actor.send({type: 'model.choose', model: chosen.name})
    }
    const instructions = instructionsKey(place.group)
    const preset = isEmpty ? drafts.read(instructions)?.text : undefined
    const prompt = {type: 'prompt.submit' as const, question, references, key: newKey(), at: now(), preset}
    if (!actor.getSnapshot().can(prompt)) return false
    drafts.write(draftKey, undefined)
    if (isEmpty) drafts.write(instructions, undefined)
    actor.send(prompt)
    // the user asked despite the note: forget the stored model that is missing
    if (missing !== undefined && chosen !== undefined) models.write(place.group, chosen.name)
    return true
  }
}

function OpenConversation({actors, actor, place}: {actors: ChatActors; actor: ConversationActor; place: ChatPlace}) {
  const text = useText()
  const {navigation, drafts, files, threadWords} = useChat()
  const isTouch = useMediaQuery(coarsePointer)
  const thread = useRef<Pick<ThreadHandle, 'jump'>>(null)
  const composer = useRef<ComposerHandle>(null)
  const [editing, setEditing] = useState<number>()
  // a phone keeps its keyboard for who typed into the early screen, which is there until this one is
  const [isTaken] = useState(() => document.activeElement instanceof HTMLTextAreaElement)
  const {served, offered, chosen, missing, choose} = useChatModels(actors, place.group, actor)

  const isEmpty = useSelector(actor, selectIsUnused)
  const isSettled = useSelector(actor, selectIsSettled)
  const busy = useSelector(actor, (snapshot) => snapshot.hasTag('busy'))
  const canStop = useSelector(actor, selectCanStop)
  const messages = useSelector(actor, selectMessages)
  const storedTitle = useSelector(actor, ({context}) => context.title)
  // not in a selector, which each delta of an answer would run
  const title = useMemo(() => conversationTitle({title: storedTitle, messages}), [storedTitle, messages])
  const rejection = useSelector(actor, selectRejection)
  const applicationId = useSelector(actors.provisioning, (snapshot) => selectApplication(snapshot)?.id)
  const key = actor.getSnapshot().context.key
  const draftKey = draftKeyOf(place.group, actor.getSnapshot())

  const stop = useCallback(() => actor.send({type: 'answer.stop'}), [actor])
  useDock(!isEmpty)
  const focusComposer = useCallback(() => composer.current?.focus(), [])
  useEffect(() => offerCommands({focusField: focusComposer, ...(canStop && {stop})}), [canStop, stop, focusComposer])

  const ask = useAsk({actor, place, chosen, missing, isEmpty, draftKey})
  const send = (question: string, references: string[]) => {
    const isAsked = ask(question, references)
    if (isAsked) thread.current?.jump()
    return isAsked
  }
  const editLast = () => {
    if (!isSettled) return
    const index = actor.getSnapshot().context.messages.findLastIndex(({role}) => role === 'user')
    if (index !== -1) setEditing(index)
  }
  const field = (
    <Composer
      ref={composer}
      busy={busy}
      canStop={canStop}
      canSend
      isFirst={isEmpty}
      model={chosen}
      models={offered}
      autoFocus={isTaken || !isTouch}
      draftKey={draftKey}
      draft={drafts.read(draftKey)}
      returned={rejection}
      files={files}
      onDraft={(draft) => {
        drafts.write(draftKey, draft)
        // typing announces a message, so load early; a failed download is retried when the thread shows
        if (draft === undefined) return
        void threadWords()
        loadThread().catch(() => undefined)
      }}
      onSend={send}
      onStop={stop}
      onEditLast={editLast}
      onChooseModel={choose}
    />
  )
  return (
    <div className={styles.screen} data-empty={isEmpty || undefined}>
      {isEmpty ? (
        <Greeting />
      ) : (
        <>
          <h1 className="visually-hidden" tabIndex={-1}>
            {title || text('chat.untitled')}
          </h1>
          <Suspense fallback={<ThreadSkeleton />}>
            <ConversationThread
              ref={thread}
              actor={actor}
              place={place}
              served={served}
              addCreditsHref={navigation.addCreditsHref(
                applicationId,
                navigation.href({group: place.group, conversation: place.conversation ?? key}),
              )}
              editing={editing}
              onEditing={setEditing}
              models={offered}
              unusable={reasonOf(chosen?.disabled, text)}
              onUnusable={focusComposer}
            />
          </Suspense>
        </>
      )}
      <div className={styles.dock}>
        <div className={styles.column}>
          {(!isEmpty || (rejection ?? missing) !== undefined) && (
            <Suspense>
              <ComposerNotes
                actor={actor}
                missing={missing}
                chosen={chosen}
                onLost={(typed) => composer.current?.insert(typed)}
              />
            </Suspense>
          )}
          {field}
          {isEmpty && <Suggestions onSuggest={(suggestion) => composer.current?.insert(suggestion)} />}
          <p className={styles.disclaimer}>{text('chat.disclaimer')}</p>
        </div>
      </div>
    </div>
  )
}
