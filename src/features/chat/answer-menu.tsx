import {useSelector} from '@xstate/react'
import {Suspense, useRef, useState, type ReactNode, type RefObject} from 'react'
import {canSpeak} from '#browser/speech.ts'
import {waitForField} from '#browser/typed-ahead.ts'
import {selectPhase} from '#machines/read-aloud/read-aloud.machine.ts'
import {IconButton} from '#ui/icon-button.tsx'
import {InfoIcon, RetryIcon, StopIcon} from '#ui/icons.tsx'
import type {MenuEntry} from '#ui/menu-entry.ts'
import {FlowIcon, ReadAloudIcon, TextIcon} from '#ui/message-icons.tsx'
import {useText} from '#ui/text.tsx'
import {useCopy} from '#ui/use-copy.ts'
import {lazyView} from '#ui/use-lazy.ts'
import {AgainModels, type Again} from './again-models.tsx'
import {useChat} from './chat.context.tsx'
import {plainText} from './markdown/plain-text.ts'
import {MessageMenu, useLinkEntries, type LinkedProps} from './message-menu.tsx'
import type {Voice} from './use-voice.ts'

const PopoverOverlay = lazyView(async () => (await import('#ui/overlays/popover-overlay.tsx')).PopoverOverlay)

type AnswerMenuProps = LinkedProps & {
  answer: string
  /** The server's id of the message. */
  id: string | undefined
  /** Its position in the conversation. */
  index: number
  voice: Voice
  again: Again | undefined
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
  const {id, index, voice, again} = props
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
    hasDetails: AnswerDetails !== undefined && id !== undefined,
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
      <MessageMenu align="start" anchor={anchor} entries={entries} copying={copying} onPress={close} />
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
  return again === undefined ? null : <AgainModels {...{again, isOpen, anchor, onClose}} />
}
