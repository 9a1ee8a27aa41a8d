import {useSelector} from '@xstate/react'
import {Suspense, useCallback, useState, type ReactNode} from 'react'
import {messageFiles, messageText} from '#domain/conversation.ts'
import type {ModelGroup} from '#contract/models.ts'
import {priceOf} from '#domain/model-price.ts'
import type {ConversationSnapshot} from '#machines/conversation/conversation.machine.ts'
import {selectIsUnused, selectMessages} from '#machines/conversation/conversation.selectors.ts'
import {selectActiveConversation} from '#machines/conversation-list/conversation-list.selectors.ts'
import {selectLastService, selectServedModels} from '#machines/provisioning/provisioning.selectors.ts'
import {Button} from '#ui/button.tsx'
import {Drawer} from '#ui/drawer.tsx'
import {CheckIcon} from '#ui/icons.tsx'
import {InstructionsIcon} from '#ui/later-icons.tsx'
import {SeveralIcon} from '#ui/model-icons.tsx'
import {useText} from '#ui/text.tsx'
import {lazyView} from '#ui/use-lazy.ts'
import {phone, useMediaQuery} from '#ui/use-media-query.ts'
import {draftKeyOf, instructionsKey, newDraftKey, useChat} from './chat.context.tsx'
import {useCompareEntry} from './compare/use-compare-entry.ts'
import type {Draft} from './draft.types.ts'
import type {ModelChoiceProps, ModelsOfOthers} from './model-catalogue.ts'
import {addressName} from './message-view.tsx'
import {ModelList, type ModelListProps} from './model-list.tsx'
import styles from './model-list.module.css'
import {modelsOfOthers} from './models-of-other-groups.ts'
import {moveDraft} from './move-draft.ts'
import {useThreadWords} from './use-thread-words.ts'
import {carriedFile} from './unread-files.ts'

const loadPopover = async () => (await import('#ui/overlays/popover-overlay.tsx')).PopoverOverlay
const PopoverOverlay = lazyView(loadPopover)
// this file is loaded when a pointer reaches the button: so is what it shows itself in
void loadPopover().catch(() => undefined)

/** The last question of a conversation, as a draft of another one. */
function lastQuestion(snapshot: ConversationSnapshot): Draft | undefined {
  const question = selectMessages(snapshot).findLast(({role}) => role === 'user')
  if (question === undefined) return undefined
  const references = messageFiles(question.content).map(({url, size}) => ({
    url,
    name: addressName(url) ?? url,
    size,
  }))
  return {text: messageText(question.content), references}
}

type WaysProps = Pick<ModelChoiceProps, 'onClose' | 'anchor'> & {
  comparing: ReturnType<typeof useCompareEntry>
  onInstruct: (() => void) | undefined
  isInstructed: boolean
}

/** Ways on from the models: to several of them, and to the instructions of the conversation. */
function Ways({comparing, onInstruct, isInstructed, onClose, anchor}: WaysProps) {
  const text = useText()
  return (
    <div className={styles.more}>
      {comparing !== undefined && (
        <Button
          size="sm"
          variant="ghost"
          icon={<SeveralIcon size={14} />}
          onClick={() => {
            onClose()
            comparing.onSelect()
          }}
        >
          {comparing.label}
        </Button>
      )}
      {onInstruct !== undefined && (
        <Button
          size="sm"
          variant="ghost"
          icon={<InstructionsIcon size={14} />}
          onClick={() => {
            onClose()
            // the dialog gives the focus back to where it was
            anchor.current?.focus()
            onInstruct()
          }}
        >
          {text('chat.instructionsOne')}
          {isInstructed && <CheckIcon size={14} />}
        </Button>
      )}
    </div>
  )
}

type ModelOverlayProps = ModelChoiceProps &
  Pick<ModelListProps, 'favourites' | 'onFavourite' | 'searchWords'> & {
    /** The groups that the site offers. */
    groups: readonly ModelGroup[]
  }

/** The models of other groups: one opens a new chat of its group, with the text and files of the field. */
function useModelsElsewhere(group: ModelGroup, groups: readonly ModelGroup[], onClose: () => void): ModelsOfOthers {
  const chat = useChat()
  const {actors, drafts, models, navigation} = chat
  const servedModels = useSelector(actors?.provisioning, selectServedModels)
  const actor = actors && selectActiveConversation(actors.conversations.getSnapshot())
  const draftKey = draftKeyOf(group, actor?.getSnapshot())
  return {
    models: modelsOfOthers(group, servedModels, groups),
    files: drafts.read(draftKey)?.references.map((each) => ({...carriedFile(each), pasted: each.text})) ?? [],
    onChoose: (model) => {
      onClose()
      models.write(model.group, model.name)
      moveDraft(chat, draftKey, newDraftKey(model.group))
      navigation.go({group: model.group, conversation: undefined})
    },
  }
}

type FrameProps = Pick<ModelOverlayProps, 'open' | 'onClose' | 'anchor'> & {title: string; children: ReactNode}

/** Beside the button, on phones a sheet. */
function Frame({title, open, onClose, anchor, children}: FrameProps) {
  return useMediaQuery(phone) ? (
    <Drawer side="bottom" open={open} onClose={onClose} title={title} isQuiet>
      {children}
    </Drawer>
  ) : (
    <PopoverOverlay label={title} align="start" open={open} onClose={onClose} anchor={anchor} isFlush>
      {children}
    </PopoverOverlay>
  )
}

/**
 * The models beside the button, on phones as a sheet; for a conversation also the way to several models, and to the
 * instructions of the one on screen.
 */
export function ModelOverlay({open, onClose, anchor, isForAnswer = false, groups, ...list}: ModelOverlayProps) {
  useThreadWords()
  const text = useText()
  const {actors, drafts, InstructionsDialog} = useChat()
  const actor = useSelector(actors?.conversations, (snapshot) => snapshot && selectActiveConversation(snapshot))
  const conversation = useSelector(actor, (snapshot) => snapshot?.context.id)
  // a question without an id yet took its instructions along: those of the next new conversation are not its own
  const hasInstructions = useSelector(
    actor,
    (snapshot) =>
      snapshot?.context.capabilities.includes('preset') === true &&
      (snapshot.context.id !== undefined || selectIsUnused(snapshot)),
  )
  const group = list.models[0]?.group ?? 'chatgpt'
  const elsewhere = useModelsElsewhere(group, groups, onClose)
  const [isInstructing, setInstructing] = useState(false)
  const endInstructing = useCallback(() => setInstructing(false), [])
  const isForConversation = !isForAnswer && list.several === undefined
  const comparing = useCompareEntry(
    list.several === undefined ? list.models : [],
    () => draftKeyOf(group, actor?.getSnapshot()),
    () => (isForAnswer && actor !== undefined ? lastQuestion(actor.getSnapshot()) : undefined),
  )
  const metadata = useSelector(actors?.provisioning, selectLastService)?.metadata
  const title = text(list.several === undefined ? 'chat.model' : 'compare.choose')
  const canInstruct = isForConversation && hasInstructions
  const ways = (canInstruct || comparing !== undefined) && (
    <Ways
      comparing={comparing}
      onInstruct={canInstruct ? () => setInstructing(true) : undefined}
      isInstructed={conversation === undefined && drafts.read(instructionsKey(group)) !== undefined}
      onClose={onClose}
      anchor={anchor}
    />
  )
  const count = list.several !== undefined && (
    <div className={styles.status}>
      <p role="status">{list.several.status}</p>
      <Button size="sm" onClick={onClose}>
        {text('common.close')}
      </Button>
    </div>
  )
  const content = (
    <ModelList
      {...list}
      elsewhere={isForConversation ? elsewhere : undefined}
      priceOf={(name) => priceOf(metadata, name)}
      foot={count || ways}
    />
  )
  return (
    <>
      <Frame {...{title, open, onClose, anchor}}>{content}</Frame>
      {isInstructing && hasInstructions && (
        <Suspense>
          <InstructionsDialog conversation={conversation} group={group} onClose={endInstructing} />
        </Suspense>
      )}
    </>
  )
}
