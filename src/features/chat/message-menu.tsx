import {useSelector} from '@xstate/react'
import {Suspense, useRef, useState, type ReactNode, type RefObject} from 'react'
import {canSpeak} from '#browser/speech.ts'
import {selectPhase} from '#machines/read-aloud/read-aloud.machine.ts'
import {IconButton} from '#ui/icon-button.tsx'
import {AlertIcon, CheckIcon, DeleteIcon, InfoIcon, MoreIcon, RetryIcon, StopIcon} from '#ui/icons.tsx'
import type {MenuEntry} from '#ui/menu-entry.ts'
import {Menu} from '#ui/menu.tsx'
import {BranchIcon, FlowIcon, LinkIcon, ReadAloudIcon, TextIcon} from '#ui/message-icons.tsx'
import {useText} from '#ui/text.tsx'
import {useCopy} from '#ui/use-copy.ts'
import {lazyView} from '#ui/use-lazy.ts'
import {useChat} from './chat.context.tsx'
import {plainText} from './markdown/plain-text.ts'
import type {ModelsOfOthers, OfferedModel} from './model-catalogue.ts'
import type {Voice} from './use-voice.ts'

const PopoverOverlay = lazyView(async () => (await import('#ui/overlays/popover-overlay.tsx')).PopoverOverlay)

/** What can be changed about a message; undefined while it cannot be, or where the server cannot. */
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

/** What else can be done with a message of the user. */
export function QuestionMenu(props: LinkedProps) {
  const copying = useCopy()
  const anchor = useRef<HTMLButtonElement>(null)
  const {copies, branches, removals} = useLinkEntries(props, copying.copy)
  return <More align="end" anchor={anchor} entries={[...copies, ...branches, ...removals]} copying={copying} />
}

export type AnswerMenuProps = LinkedProps & {
  answer: string
  /** The server's id of the message. */
  id: string | undefined
  /** Its position in the conversation. */
  index: number
  voice: Voice
  /** Asks the question again, of this or another model; `model` wrote this answer. */
  again:
    | {
        models: readonly OfferedModel[]
        model: string | undefined
        /** Addresses of the files of the conversation, asked for as the models are shown. */
        files: () => readonly string[]
        onChoose: (model: string) => void
        /** Models of other groups, asked for as they are shown. */
        inBranch: () => ModelsOfOthers | undefined
      }
    | undefined
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

/** What else can be done with an answer; details, models and what happened open from the same button. */
export function AnswerMenu({answer, id, index, voice, again, ...linkProps}: AnswerMenuProps) {
  const text = useText()
  const {AnswerDetails, ModelChoice, WhatHappened} = useChat()
  const copying = useCopy()
  const anchor = useRef<HTMLButtonElement>(null)
  // what was opened last: it gives the focus back while it closes
  const [panel, setPanel] = useState<Panel>()
  const phase = useSelector(voice.actor, (snapshot) => snapshot && selectPhase(snapshot, index))
  const {copies, branches, removals} = useLinkEntries(linkProps, copying.copy)
  const close = () => setPanel((last) => last && {...last, isOpen: false})
  const show = (name: Panel['name']) => () => setPanel({name, isOpen: true})
  const entry = (entryId: string, label: string, icon: ReactNode, onSelect: () => void) => ({
    id: entryId,
    label,
    icon,
    onSelect,
  })
  const ofText =
    answer === ''
      ? []
      : [
          entry('text', text('chat.copyText'), <TextIcon />, () => copying.copy(plainText(answer))),
          ...copies,
          ...(canSpeak() && phase !== 'reading'
            ? [entry('aloud', text('chat.readAloud'), <ReadAloudIcon />, () => voice.read(index, plainText(answer)))]
            : []),
        ]
  const hasDetails = AnswerDetails !== undefined && id !== undefined && answer !== ''
  const entries: MenuEntry[] = [
    ...ofText,
    ...(again === undefined ? [] : [entry('with', text('chat.answerWith'), <RetryIcon />, show('models'))]),
    ...branches,
    ...(hasDetails ? [entry('details', text('chat.details'), <InfoIcon />, show('details'))] : []),
    entry('flow', text('chat.whatHappened'), <FlowIcon />, show('flow')),
    ...removals,
  ]
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
        {panel?.name === 'details' && hasDetails && (
          <PopoverOverlay
            label={text('chat.details')}
            align="start"
            open={panel.isOpen}
            onClose={close}
            anchor={anchor}
          >
            <Suspense>
              <AnswerDetails message={id} />
            </Suspense>
          </PopoverOverlay>
        )}
        {panel?.name === 'models' && again !== undefined && (
          <ModelChoice
            models={again.models}
            chosen={again.models.find(({name}) => name === again.model)}
            onChoose={({name}) => {
              close()
              again.onChoose(name)
            }}
            open={panel.isOpen}
            onClose={close}
            anchor={anchor}
            isForAnswer
            files={again.files()}
            inBranch={closing(again.inBranch(), close)}
          />
        )}
        {panel?.name === 'flow' && panel.isOpen && <WhatHappened index={index} onClose={close} />}
      </Suspense>
    </>
  )
}
