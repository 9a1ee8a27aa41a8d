import {useSelector} from '@xstate/react'
import {Suspense, useRef, useState, type ReactNode, type RefObject} from 'react'
import {canSpeak} from '#browser/speech.ts'
import {waitForField} from '#browser/typed-ahead.ts'
import {selectPhase} from '#machines/read-aloud/read-aloud.machine.ts'
import {IconButton} from '#ui/icon-button.tsx'
import {AlertIcon, CheckIcon, InfoIcon, MoreIcon, RetryIcon, StopIcon} from '#ui/icons.tsx'
import {DeleteIcon} from '#ui/later-icons.tsx'
import type {MenuEntry} from '#ui/menu-entry.ts'
import {Menu} from '#ui/menu.tsx'
import {BranchIcon, FlowIcon, LinkIcon, ReadAloudIcon, TextIcon} from '#ui/message-icons.tsx'
import {useText} from '#ui/text.tsx'
import {useCopy} from '#ui/use-copy.ts'
import {lazyView} from '#ui/use-lazy.ts'
import {useChat} from './chat.context.tsx'
import {plainText} from './markdown/plain-text.ts'
import type {CarriedFile, ModelsOfOthers, OfferedModel} from './model-catalogue.ts'
import type {Voice} from './use-voice.ts'

const PopoverOverlay = lazyView(async () => (await import('#ui/overlays/popover-overlay.tsx')).PopoverOverlay)

/** The changes that a message allows; undefined while it allows none, or where the server cannot. */
export type MessageChangeActions = {onBranch: (() => void) | undefined; onRemove: (() => void) | undefined}

type LinkedProps = MessageChangeActions & {
  /** Address of the message on this site; absent while only this device has it. */
  link: string | undefined
}

type MoreProps = {
  align: 'start' | 'end'
  anchor: RefObject<HTMLButtonElement | null>
  entries: readonly MenuEntry[]
  copying: ReturnType<typeof useCopy>
  /** Before the list opens. */
  onPress?: () => void
}

/** The button of the list; it shows how a copy from the list went. Nothing where there is nothing to do. */
function More({align, anchor, entries, copying, onPress}: MoreProps) {
  const text = useText()
  const outcome = copying.result?.outcome
  if (entries.length === 0) return null
  const label = text('chat.messageActions')
  const icon = outcome === 'copied' ? <CheckIcon /> : outcome === 'copyFailed' ? <AlertIcon /> : <MoreIcon />
  return (
    <>
      <Menu
        label={label}
        align={align}
        entries={entries}
        trigger={({ref, onClick, ...props}) => (
          <IconButton
            {...props}
            ref={(button) => {
              ref.current = button
              anchor.current = button
            }}
            size="sm"
            label={label}
            icon={icon}
            onClick={() => {
              onPress?.()
              onClick()
            }}
          />
        )}
      />
      <span role="status" className="visually-hidden">
        {outcome === undefined ? '' : text(`common.${outcome}`)}
      </span>
    </>
  )
}

function useLinkEntries({link, onBranch, onRemove}: LinkedProps, copy: (value: string) => void) {
  const text = useText()
  const copyLink = {
    id: 'link',
    label: text('chat.copyLink'),
    icon: <LinkIcon />,
    onSelect: () => copy(new URL(link ?? '', location.href).href),
  }
  const branch = {id: 'branch', label: text('chat.branch'), icon: <BranchIcon />, onSelect: onBranch}
  const remove = {
    id: 'delete',
    label: text('chat.deleteMessage'),
    icon: <DeleteIcon />,
    danger: true,
    onSelect: onRemove,
  }
  return {
    copies: link === undefined ? [] : [copyLink],
    branches: onBranch === undefined ? [] : [{...branch, onSelect: onBranch}],
    removals:
      onRemove === undefined
        ? []
        : [
            {kind: 'separator' as const, id: 'end'},
            {...remove, onSelect: onRemove},
          ],
  }
}

/** The other actions on a message of the user; `question`: its words, empty where it has files only. They
 * are shown as they were written, so that they are copied so as well. */
export function QuestionMenu({question, again, ...props}: LinkedProps & {question: string; again: Again | undefined}) {
  const text = useText()
  const copying = useCopy()
  const anchor = useRef<HTMLButtonElement>(null)
  // undefined until it was opened, which loads it
  const [isChoosing, setChoosing] = useState<boolean>()
  const close = () => setChoosing(false)
  const {copies, branches, removals} = useLinkEntries(props, copying.copy)
  const copyText = {
    id: 'text',
    label: text('chat.copyText'),
    icon: <TextIcon />,
    onSelect: () => copying.copy(question),
  }
  const choose = {
    id: 'with',
    label: text('chat.answerWith'),
    icon: <RetryIcon />,
    onSelect: () => {
      waitForField()
      setChoosing(true)
    },
  }
  const entries = [
    ...(question === '' ? [] : [copyText]),
    ...copies,
    ...(again === undefined ? [] : [choose]),
    ...branches,
    ...removals,
  ]
  return (
    <>
      <More align="end" anchor={anchor} entries={entries} copying={copying} />
      <Suspense>
        {again !== undefined && isChoosing !== undefined && (
          <Models {...{again, anchor}} isOpen={isChoosing} onClose={close} />
        )}
      </Suspense>
    </>
  )
}

/** Asks a question again, of this or another model; `model` wrote the answer that is there. */
export type Again = {
  models: readonly OfferedModel[]
  model: string | undefined
  /** The files of the conversation, asked for as the models are shown. */
  files: () => readonly CarriedFile[]
  onChoose: (model: string) => void
  /** Models of other groups, asked for as they are shown. */
  inBranch: () => ModelsOfOthers | undefined
}

export type AnswerMenuProps = LinkedProps & {
  answer: string
  /** The server's id of the message. */
  id: string | undefined
  /** Its position in the conversation. */
  index: number
  voice: Voice
  again: Again | undefined
}

/** Choosing one of them closes the list. */
const closing = (models: ModelsOfOthers | undefined, close: () => void): ModelsOfOthers | undefined =>
  models && {
    ...models,
    onChoose: (model) => {
      close()
      models.onChoose(model)
    },
  }

type Panel = {name: 'details' | 'models' | 'flow'; isOpen: boolean}

type AnswerEntries = Omit<AnswerMenuProps, 'again'> & {
  /** Another model can be asked. */
  offersModels: boolean
  hasDetails: boolean
  isReading: boolean
  copy: (value: string) => void
  onShow: (panel: Panel['name']) => void
}

/** Returns the list of actions on an answer, from its text to its deletion. */
function useAnswerEntries(props: AnswerEntries): MenuEntry[] {
  const {answer, index, voice, offersModels, hasDetails, isReading, copy, onShow} = props
  const text = useText()
  const {copies, branches, removals} = useLinkEntries(props, copy)
  const entry = (id: string, label: string, icon: ReactNode, onSelect: () => void) => ({id, label, icon, onSelect})
  const read = () => voice.read(index, answer)
  const ofText =
    answer === ''
      ? []
      : [
          entry('text', text('chat.copyText'), <TextIcon />, () => copy(plainText(answer))),
          ...copies,
          ...(canSpeak() && !isReading ? [entry('aloud', text('chat.readAloud'), <ReadAloudIcon />, read)] : []),
        ]
  return [
    ...ofText,
    ...(offersModels ? [entry('with', text('chat.answerWith'), <RetryIcon />, () => onShow('models'))] : []),
    ...branches,
    ...(hasDetails ? [entry('details', text('chat.details'), <InfoIcon />, () => onShow('details'))] : []),
    entry('flow', text('chat.whatHappened'), <FlowIcon />, () => onShow('flow')),
    ...removals,
  ]
}

/** The other actions on an answer; details, models and what happened open from the same button. */
export function AnswerMenu(props: AnswerMenuProps) {
  const {answer, id, index, voice, again} = props
  const text = useText()
  const {AnswerDetails} = useChat()
  const copying = useCopy()
  const anchor = useRef<HTMLButtonElement>(null)
  // what was opened last: it gives the focus back while it closes
  const [panel, setPanel] = useState<Panel>()
  const phase = useSelector(voice.actor, (snapshot) => snapshot && selectPhase(snapshot, index))
  const close = () => setPanel((last) => last && {...last, isOpen: false})
  const entries = useAnswerEntries({
    ...props,
    offersModels: again !== undefined,
    hasDetails: AnswerDetails !== undefined && id !== undefined && answer !== '',
    isReading: phase === 'reading',
    copy: copying.copy,
    onShow: (name) => {
      if (name === 'models') waitForField()
      setPanel({name, isOpen: true})
    },
  })
  return (
    <>
      {phase === 'reading' && (
        <IconButton
          size="sm"
          label={text('chat.stopReading')}
          icon={<StopIcon />}
          onClick={() => {
            anchor.current?.focus()
            voice.actor?.send({type: 'reading.stop'})
          }}
        />
      )}
      <More align="start" anchor={anchor} entries={entries} copying={copying} onPress={close} />
      {phase === 'failed' && <span role="status">{text('chat.noVoice')}</span>}
      <Suspense>
        {panel !== undefined && <AnswerPanel {...{panel, id, index, again, anchor}} onClose={close} />}
      </Suspense>
    </>
  )
}

type AnswerPanelProps = Pick<AnswerMenuProps, 'id' | 'index' | 'again'> & {
  panel: Panel
  anchor: RefObject<HTMLButtonElement | null>
  onClose: () => void
}

/** The panel that the list of an answer opened. */
function AnswerPanel({panel: {name, isOpen}, id, index, again, anchor, onClose}: AnswerPanelProps) {
  const text = useText()
  const {AnswerDetails, WhatHappened} = useChat()
  if (name === 'flow') return isOpen && <WhatHappened index={index} onClose={onClose} />
  if (name === 'details') {
    if (AnswerDetails === undefined || id === undefined) return null
    return (
      <PopoverOverlay label={text('chat.details')} align="start" open={isOpen} onClose={onClose} anchor={anchor}>
        <Suspense>
          <AnswerDetails message={id} />
        </Suspense>
      </PopoverOverlay>
    )
  }
  return again === undefined ? null : <Models {...{again, isOpen, anchor, onClose}} />
}

type ModelsProps = {
  again: Again
  isOpen: boolean
  anchor: RefObject<HTMLButtonElement | null>
  onClose: () => void
}

/** The models that can answer. */
function Models({again, isOpen, anchor, onClose}: ModelsProps) {
  const {ModelChoice} = useChat()
  return (
    <ModelChoice
      models={again.models}
      chosen={again.models.find((model) => model.name === again.model)}
      onChoose={(model) => {
        onClose()
        again.onChoose(model.name)
      }}
      open={isOpen}
      onClose={onClose}
      anchor={anchor}
      isForAnswer
      files={again.files()}
      inBranch={closing(again.inBranch(), onClose)}
    />
  )
}
