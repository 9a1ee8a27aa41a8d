import {useMemo, useState} from 'react'
import {isRecord} from '#contract/is-record.ts'
import {FlowDialog, type FlowStep} from '#features/flow/flow-dialog.tsx'
import {selectActiveConversation, selectConversation} from '#machines/conversation-list/conversation-list.selectors.ts'
import {selectMessages} from '#machines/conversation/conversation.selectors.ts'
import {submissionId} from '#machines/submission/submission.types.ts'
import type {Card} from '#machines/task-list/task-list.selectors.ts'
import {actorOf, useRoot} from '../actors.context.tsx'
import {useAppInfo} from '../app-info.tsx'
import {useAnswerDetails} from '../chat/use-answer-details.ts'
import {useWords} from '../use-words.ts'
import {createSanitizer} from '../inspector/sanitize.ts'
import {detailFacts} from './detail-facts.ts'
import type {FlowEntry} from './flow-log.ts'
import {curlOf, flowOf, isCall, isLoad, stateName, type CallFacts, type FlowSubject} from './flow-report.ts'

type Facts = Record<string, string | number | null | undefined>

function toStep(entry: FlowEntry, call: CallFacts): FlowStep {
  const {at} = entry
  if (isLoad(entry)) return {kind: 'load', at}
  if (!isCall(entry)) return {kind: 'state', at, name: stateName(entry.state), event: entry.event}
  const {method, address, action, status, took, trace} = entry
  const name = [method.toUpperCase(), URL.parse(address, location.href)?.pathname, action ?? []].flat().join(' ')
  return {kind: 'call', at, name, status, took, trace, curl: curlOf(entry, call)}
}

type FlowProps = {subject: FlowSubject; facts: Facts; call: CallFacts; onClose: () => void}

/** The steps at the time when the dialog opens, and the known facts beside them. */
function Flow({subject, facts, call, onClose}: FlowProps) {
  const {flow} = useAppInfo()
  useWords('account')
  const [entries] = useState(() => flowOf(flow()?.entries() ?? [], subject))
  const content = useMemo(() => {
    const knownFacts = Object.fromEntries(
      Object.entries(facts).flatMap(([name, value]) => (value == null ? [] : [[name, String(value)]])),
    )
    const steps = entries.map((entry) => ({
      ...entry,
      ...('state' in entry && {state: stateName(entry.state)}),
      at: new Date(entry.at).toISOString(),
    }))
    // nothing of a secret is noted; a second look costs nothing here
    const report = createSanitizer()({page: location.origin, agent: navigator.userAgent, ...knownFacts, steps})
    return {
      steps: entries.map((entry) => toStep(entry, call)),
      facts: knownFacts,
      report: JSON.stringify(report, null, 2),
    }
  }, [entries, facts, call])
  return <FlowDialog {...content} onClose={onClose} />
}

/** With what the server keeps of the answer: it outlives the page that noted the steps. */
function DetailedFlow({message, attempt, facts, ...flow}: FlowProps & {message: string; attempt: number | undefined}) {
  const [snapshot] = useAnswerDetails(message)
  const all = useMemo(() => ({...facts, ...detailFacts(snapshot, attempt)}), [facts, snapshot, attempt])
  return <Flow {...flow} facts={all} />
}

type AnswerFlowProps = {index: number; conversation?: string; onClose: () => void}

/** Shows the states and calls of the answer at `index` of the conversation on screen, or of the named one. */
export function AnswerFlow({index, conversation, onClose}: AnswerFlowProps) {
  const root = useRoot()
  const {capabilities} = useAppInfo()
  const [happenings] = useState(() => {
    const list = actorOf(root, 'conversations')
    const listSnapshot = list?.getSnapshot()
    const actor =
      listSnapshot &&
      (conversation === undefined
        ? selectActiveConversation(listSnapshot)
        : selectConversation(listSnapshot, conversation))
    const snapshot = actor?.getSnapshot()
    const message = snapshot && selectMessages(snapshot)[index]
    const subject = {kind: 'answer' as const, actor: actor?.id ?? '', message: message?.id ?? undefined}
    const facts = {
      conversation: snapshot?.context.id ?? undefined,
      message: message?.id ?? undefined,
      state: message?.state ?? undefined,
      outcome: message?.outcome ?? undefined,
      error: message?.error?.code,
      attempt: message?.attempt ?? undefined,
      model: message?.model ?? undefined,
      provider: message?.provider ?? undefined,
    }
    return {subject, facts, call: facts}
  })
  const {message, attempt} = happenings.facts
  return message === undefined || !capabilities.includes('answers') ? (
    <Flow {...happenings} onClose={onClose} />
  ) : (
    <DetailedFlow {...happenings} message={message} attempt={attempt} onClose={onClose} />
  )
}

/** Times of the server, in seconds, as ISO text. */
const isoTime = (seconds: number | undefined) =>
  seconds === undefined ? undefined : new Date(seconds * 1_000).toISOString()

/** The states of a request and its task. */
export function TaskFlow({card, service, onClose}: {card: Card; service: string; onClose: () => void}) {
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
