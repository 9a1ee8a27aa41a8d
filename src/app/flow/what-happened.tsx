import {shallowEqual, useSelector} from '@xstate/react'
import {useCallback, useMemo, useState, useSyncExternalStore} from 'react'
import {isRecord} from '#contract/is-record.ts'
import {FlowDialog, type FlowStep} from '#features/flow/flow-dialog.tsx'
import type {AnswerDetailsSnapshot} from '#machines/answer-details/answer-details.machine.ts'
import {selectActiveConversation, selectConversation} from '#machines/conversation-list/conversation-list.selectors.ts'
import type {ConversationSnapshot} from '#machines/conversation/conversation.machine.ts'
import {selectAnswerText, selectMessages} from '#machines/conversation/conversation.selectors.ts'
import {submissionId} from '#machines/submission/submission.types.ts'
import {selectCards, type Card} from '#machines/task-list/task-list.selectors.ts'
import {actorOf, useRoot} from '../actors.context.tsx'
import {useAppInfo} from '../app-info.tsx'
import {ReadDetails} from '../chat/use-answer-details.ts'
import {useWords} from '../use-words.ts'
import {createSanitizer} from '../inspector/sanitize.ts'
import {detailFacts} from './detail-facts.ts'
import type {FlowEntry} from './flow-log.ts'
import {curlOf, flowOf, isCall, isLoad, reportOf, stateName, type CallFacts, type FlowSubject} from './flow-report.ts'

type Facts = Record<string, string | number | null | undefined>

function toStep(entry: FlowEntry, call: CallFacts): FlowStep {
  const {at} = entry
  if (isLoad(entry)) return {kind: 'load', at}
  if (!isCall(entry)) return {kind: 'state', at, name: stateName(entry.state), event: entry.event}
  const {method, address, action, status, took, trace} = entry
  // `URL.parse` is missing before Chrome 126 and Safari 18
  const path = URL.canParse(address, location.href) ? new URL(address, location.href).pathname : undefined
  const name = [method.toUpperCase(), path, action ?? []].flat().join(' ')
  return {kind: 'call', at, name, status, took, trace, curl: curlOf(entry, call)}
}

type FlowProps = {subject: FlowSubject; facts: Facts; call: CallFacts; onClose: () => void}

const noLog = {subscribe: () => () => undefined, revision: () => 0, entries: () => []}

/** The steps up to now, and the known facts beside them. What runs adds to both while the dialog is open. */
function Flow({subject, facts, call, onClose}: FlowProps) {
  const {flow} = useAppInfo()
  useWords('account')
  const log = flow() ?? noLog
  useSyncExternalStore(log.subscribe, log.revision)
  const entries = flowOf(log.entries(), subject)
  const steps = entries.map((entry) => toStep(entry, call))
  const knownFacts = Object.fromEntries(
    Object.entries(facts).flatMap(([name, value]) => (value == null ? [] : [[name, String(value)]])),
  )
  return <FlowDialog steps={steps} facts={knownFacts} report={() => reportOf(entries, knownFacts)} onClose={onClose} />
}

type MaybeConversation = ConversationSnapshot | undefined

/** The facts about the answer at `index`, of its message or, while it has none, of the exchange. */
function answerFacts(snapshot: MaybeConversation, index: number) {
  const message = snapshot && selectMessages(snapshot)[index]
  const exchange = message === undefined ? snapshot?.context.exchange : undefined
  return {
    conversation: snapshot?.context.id ?? undefined,
    message: message?.id ?? exchange?.message,
    state: message?.state ?? (exchange && (exchange.answer === '' ? 'pending' : 'answering')),
    outcome: message?.outcome ?? undefined,
    error: message?.error?.code,
    attempt: message?.attempt ?? exchange?.attempt,
    model: message?.model ?? exchange?.model,
    provider: message?.provider ?? exchange?.provider,
  }
}

/** The length of an answer that is being written, in characters. */
const receivedOf = (snapshot: MaybeConversation, index: number) =>
  snapshot && selectMessages(snapshot)[index] === undefined ? selectAnswerText(snapshot)?.length : undefined

type AnswerFlowProps = {index: number; conversation?: string; onClose: () => void}

/** Shows the states and calls of the answer at `index` of the conversation on screen, or of the named one. */
export function AnswerFlow({index, conversation, onClose}: AnswerFlowProps) {
  const root = useRoot()
  const {capabilities} = useAppInfo()
  const [actor] = useState(() => {
    const listSnapshot = actorOf(root, 'conversations')?.getSnapshot()
    return (
      listSnapshot &&
      (conversation === undefined
        ? selectActiveConversation(listSnapshot)
        : selectConversation(listSnapshot, conversation))
    )
  })
  const call = useSelector(actor, (snapshot) => answerFacts(snapshot, index), shallowEqual)
  const received = useSelector(actor, (snapshot) => receivedOf(snapshot, index))
  const [lastRead, setLastRead] = useState<{message: string | undefined; details: AnswerDetailsSnapshot}>()
  const {message, attempt} = call
  const onRead = useCallback((read: AnswerDetailsSnapshot) => setLastRead({message, details: read}), [message])
  const isRunning = received !== undefined
  const subject = {kind: 'answer' as const, actor: actor?.id ?? '', message, isRunning}
  // the server keeps details of an answer that has ended
  const hasDetails = message !== undefined && !isRunning && capabilities.includes('answers')
  const details = hasDetails && lastRead?.message === message ? lastRead.details : undefined
  const facts = {...call, received_characters: received, ...(details && detailFacts(details, attempt))}
  return (
    <>
      {hasDetails && <ReadDetails key={message} message={message} onRead={onRead} />}
      <Flow {...{subject, facts, call, onClose}} />
    </>
  )
}

/** Times of the server, in seconds, as ISO text. */
const isoTime = (seconds: number | undefined) =>
  seconds === undefined ? undefined : new Date(seconds * 1_000).toISOString()

/** The states of a request and its task; `openCard`: as its card was when the dialog opened. */
export function TaskFlow({card: openCard, service, onClose}: {card: Card; service: string; onClose: () => void}) {
  const card = useSelector(
    useAppInfo().media.list(openCard.tool),
    (list) => (list && selectCards(list).find((each) => each.key === openCard.key)) ?? openCard,
  )
  const {key, id, tool, type, state, traceId, provider, failure, credits, at, finishedAt, request} = card
  const call = useMemo(() => {
    // the card shows its prompt and settings; an address with a secret in it stays here
    const body = createSanitizer()(request)
    return {key, task: id, request: isRecord(body) && Object.keys(body).length > 0 ? body : undefined}
  }, [key, id, request])
  const subject = {
    kind: 'task' as const,
    actor: submissionId(key),
    task: id,
    path: `/${service}/`,
    from: at * 1_000,
    to: finishedAt === undefined ? undefined : finishedAt * 1_000,
  }
  const facts = {
    task: id,
    tool,
    type,
    state,
    trace_id: traceId,
    provider,
    error: failure?.code,
    created_at: isoTime(at),
    finished_at: isoTime(finishedAt),
    credits_held: credits?.held,
    credits_settled: credits?.settled,
  }
  return <Flow subject={subject} facts={facts} call={call} onClose={onClose} />
}
