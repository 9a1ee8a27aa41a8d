import {useSelector} from '@xstate/react'
import {Suspense, useState} from 'react'
import {isRetriable, isRunning, type CompareActor} from '#machines/compare/compare.machine.ts'
import type {Column} from '#machines/compare/compare.types.ts'
import type {ConversationActor} from '#machines/conversation/conversation.machine.ts'
import {selectMessages} from '#machines/conversation/conversation.selectors.ts'
import {buttonClass} from '#ui/button-class.ts'
import {CopyButton} from '#ui/copy-button.tsx'
import {iconButtonClass} from '#ui/icon-button-class.ts'
import {IconButton} from '#ui/icon-button.tsx'
import {ChatIcon, RetryIcon, StopIcon} from '#ui/icons.tsx'
import {FlowIcon} from '#ui/message-icons.tsx'
import {useText} from '#ui/text.tsx'
import {useHandedFocus} from '#ui/use-handed-focus.ts'
import {LocationLink} from '../app-links.tsx'
import {useChat, type ChatActors} from '../chat.context.tsx'
import {lastAnswer} from '../last-answer.ts'
import {useColumnActor, useGroup} from './use-column-actor.ts'

type ColumnActionsProps = {
  actors: ChatActors
  compare: CompareActor
  column: Column
  /** Name of its model. */
  label: string
  /** There is no room for words. */
  isBrief?: boolean
  focusField: () => void
  onStop: (name: string) => void
}

/** The actions on the answer of one column. */
export function ColumnActions({actors, compare, column, label, isBrief = false, ...stopping}: ColumnActionsProps) {
  const text = useText()
  const {newKey, now} = useChat()
  const actor = useColumnActor(actors, column)
  const {name} = column
  return (
    <>
      {isRunning(column) && <ColumnStop {...{...stopping, column, label}} />}
      {isRetriable(column) && (
        <IconButton
          size="sm"
          label={text('compare.said', {model: label, state: text('common.retry')})}
          icon={<RetryIcon size={14} />}
          onClick={() => compare.send({type: 'column.retry', name, key: newKey(), at: now()})}
        />
      )}
      {actor !== undefined && <AnswerActions key={name} {...{actor, actors, column, label, isBrief}} />}
    </>
  )
}

type ColumnStopProps = Pick<ColumnActionsProps, 'column' | 'label' | 'focusField' | 'onStop'>

function ColumnStop({column: {name, phase}, label, focusField, onStop}: ColumnStopProps) {
  const text = useText()
  const canStop = phase !== 'stopping'
  return (
    <IconButton
      ref={useHandedFocus(canStop, focusField)}
      size="sm"
      label={text('compare.said', {model: label, state: text('chat.stop')})}
      icon={<StopIcon size={14} />}
      disabled={!canStop}
      onClick={() => onStop(name)}
    />
  )
}

type AnswerActionsProps = Pick<ColumnActionsProps, 'actors' | 'column' | 'label'> & {
  actor: ConversationActor
  isBrief: boolean
}

function AnswerActions({actor, actors, column, label, isBrief}: AnswerActionsProps) {
  const text = useText()
  const {WhatHappened} = useChat()
  /** Position of the answer whose history is open. */
  const [examined, setExamined] = useState<number>()
  const group = useGroup(actors, actor)
  const id = useSelector(actor, ({context}) => context.id)
  const hasAnswer = useSelector(actor, (snapshot) => lastAnswer(snapshot) !== '')
  const messageCount = useSelector(actor, (snapshot) => selectMessages(snapshot).length)
  // while an answer runs, the last message is the answer to the question before
  const canCopy = hasAnswer && !isRunning(column)
  const lastIndex = isRunning(column) ? messageCount : messageCount - 1
  return (
    <>
      {lastIndex >= 0 && (
        <IconButton
          size="sm"
          label={text('compare.said', {model: label, state: text('chat.whatHappened')})}
          icon={<FlowIcon />}
          onClick={() => setExamined(lastIndex)}
        />
      )}
      <Suspense>
        {examined !== undefined && (
          <WhatHappened index={examined} conversation={column.name} onClose={() => setExamined(undefined)} />
        )}
      </Suspense>
      {canCopy && (
        <CopyButton
          label={text('compare.said', {model: label, state: text('common.copy')})}
          value={() => lastAnswer(actor.getSnapshot())}
        />
      )}
      <LocationLink
        className={isBrief ? iconButtonClass('sm') : buttonClass('outline', 'sm')}
        location={{group, conversation: id ?? column.name}}
        aria-label={text('compare.said', {model: label, state: text('compare.continue')})}
      >
        {isBrief ? <ChatIcon /> : text('compare.continue')}
      </LocationLink>
    </>
  )
}
