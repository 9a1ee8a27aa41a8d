import {isRecord} from '#contract/is-record.ts'
import {pollRules} from '#domain/poll-rules.ts'
import {createSanitizer} from '../inspector/sanitize.ts'
import type {FlowCall, FlowEntry, FlowLoad, FlowState} from './flow-log.ts'

/** The subject of a report: an answer of a conversation, or a request and its task. Times in unix milliseconds. */
export type FlowSubject = AnswerSubject | TaskSubject
type AnswerSubject = {
  kind: 'answer'
  actor: string
  message: string | undefined
  /** It is being written: no state may have been noted since the server named it. */
  isRunning?: boolean
}
type TaskSubject = {
  kind: 'task'
  actor: string
  task?: string | undefined
  path: string
  from: number
  to: number | undefined
}

export const isCall = (entry: FlowEntry): entry is FlowCall => 'address' in entry
export const isLoad = (entry: FlowEntry): entry is FlowLoad => 'page' in entry
const isState = (entry: FlowEntry): entry is FlowState => 'state' in entry

/** A conversation rests in this state: the next state begins another exchange. */
const isResting = ({state}: FlowState) => /^"(?:idle|finished|restoring)"$|^\{"failed"/.test(state)

/** The states of an actor, each list from one rest to the next: over a load that revives an answer on its way. */
function exchangesOf(entries: readonly FlowEntry[], actor: string): FlowState[][] {
  const exchanges: FlowState[][] = []
  let current: FlowState[] | undefined
  for (const entry of entries) {
    if (!isState(entry) || entry.actor !== actor) continue
    if (current === undefined) {
      if (isResting(entry)) continue
      current = []
      exchanges.push(current)
    }
    current.push(entry)
    if (isResting(entry)) current = undefined
  }
  return exchanges
}

/** From the beginning of an exchange to its end, to that of its page, or to now. */
function spanOf(entries: readonly FlowEntry[], states: readonly FlowState[]): {from: number; to: number} {
  const last = states.at(-1)
  const end = last === undefined || isResting(last) ? last : entries.slice(entries.indexOf(last)).find(isLoad)
  return {from: (states[0]?.at ?? 0) - slack, to: end?.at ?? Number.POSITIVE_INFINITY}
}

/** Whether another conversation was at work then. */
function isAlone(entries: readonly FlowEntry[], actor: string, {from, to}: {from: number; to: number}): boolean {
  const askers = entries.flatMap((entry) => (isState(entry) && entry.key !== undefined ? [entry.actor] : []))
  return [...new Set(askers)]
    .filter((other) => other !== actor)
    .flatMap((other) => exchangesOf(entries, other).map((states) => spanOf(entries, states)))
    .every((other) => other.to < from || other.from > to)
}

/** The subject of a call: the question, the answer, or else the conversation. */
function isAbout({key, message, conversation}: FlowCall, states: readonly FlowState[], isOnly: boolean): boolean {
  if (key !== undefined) return states.some((state) => state.key === key)
  if (message !== undefined) return states.some(({subject}) => subject === message)
  return conversation === undefined ? isOnly : states.some((state) => state.conversation === conversation)
}

const chatPath = /\/aichat\/conversations\/?$/
/** A call can begin a moment before the state that it leads to is noted. */
const slack = 50

function ofTask(entries: readonly FlowEntry[], {actor, task, path, from, to}: TaskSubject): FlowEntry[] {
  // the page that asked for it called it by the key of the request
  const taskState = entries.filter(isState).find(({subject}) => subject !== undefined && subject === task)
  const isOwn = (entry: FlowEntry) => isState(entry) && [actor, taskState?.actor].includes(entry.actor)
  // the server dates a task when its request has arrived
  const first = entries.find(isOwn)
  const begin = Math.min(first?.at ?? from, from) - slack
  // the page that asked was told of its task when the server had dated it: what lies between is the clock of the device
  const ahead = taskState === undefined || taskState === first ? 0 : Math.max(0, taskState.at - from)
  const end = (to ?? Number.POSITIVE_INFINITY) + ahead + pollRules.rest
  return entries.filter((entry) =>
    isCall(entry) ? entry.address.includes(path) && entry.at >= begin && entry.at <= end : isOwn(entry),
  )
}

/** The exchanges of an answer; one without a name of the server is the newest of its actor. */
function exchangesOfAnswer(entries: readonly FlowEntry[], {actor, message, isRunning}: AnswerSubject): FlowState[][] {
  const newest = exchangesOf(entries, actor).slice(-1)
  if (message === undefined) return newest
  const isNamed = ({subject}: FlowState) => subject === message
  // the page that asked had the conversation under a key of its own, this one may have it under that of the server
  const actors = new Set(entries.flatMap((entry) => (isState(entry) && isNamed(entry) ? [entry.actor] : [])))
  const namedExchanges = [...actors].flatMap((each) =>
    exchangesOf(entries, each).filter((states) => states.some(isNamed)),
  )
  return isRunning === true ? [...namedExchanges, ...newest] : namedExchanges
}

function ofAnswer(entries: readonly FlowEntry[], subject: AnswerSubject): FlowEntry[] {
  return exchangesOfAnswer(entries, subject).flatMap((states) => {
    const span = spanOf(entries, states)
    const isOnly = isAlone(entries, states[0]?.actor ?? subject.actor, span)
    const calls = entries.filter(
      (entry) =>
        isCall(entry) &&
        chatPath.test(entry.address) &&
        entry.at >= span.from &&
        entry.at <= span.to &&
        isAbout(entry, states, isOnly),
    )
    return [...states, ...calls]
  })
}

/**
 * Returns the notes of this tab's pages about an answer or a task, in order: its states, the calls during them, and
 * each page loaded meanwhile or since. Empty if it happened elsewhere, or too long ago.
 */
export function flowOf(entries: readonly FlowEntry[], subject: FlowSubject): FlowEntry[] {
  const own = new Set(subject.kind === 'task' ? ofTask(entries, subject) : ofAnswer(entries, subject))
  if (own.size === 0) return []
  const first = entries.findIndex((entry) => own.has(entry))
  const last = entries.findLastIndex((entry) => own.has(entry))
  const next = entries.findIndex((entry, index) => index > last && isLoad(entry))
  return entries.filter(
    (entry, index) => own.has(entry) || (isLoad(entry) && first < index && (index < last || index === next)),
  )
}

/** A state as it is written in the charts: `asking.pending`. */
export function stateName(state: string): string {
  const nameOf = (value: unknown): string =>
    isRecord(value)
      ? Object.entries(value)
          .map(([name, inner]) =>
            isRecord(inner) && Object.keys(inner).length === 0 ? name : `${name}.${nameOf(inner)}`,
          )
          .join(' | ')
      : String(value)
  return nameOf(JSON.parse(state))
}

const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** Facts about the answer or the task whose calls are copied. `request`: the request of the task with this key. */
export type CallFacts = {
  message?: string | undefined
  attempt?: number | undefined
  model?: string | undefined
  conversation?: string | undefined
  task?: string | undefined
  key?: string | undefined
  request?: object | undefined
}

const tasksPath = /\/tasks\/?$/

/** Other tasks of the tool may have been asked for meanwhile: their settings are not known here. */
function taskBodyOf({address, action, key, conversation: id}: FlowCall, facts: CallFacts): object {
  const isOwn = key === undefined || key === facts.key
  if (!tasksPath.test(address)) return (isOwn ? facts.request : undefined) ?? {prompt: 'PROMPT'}
  const task = id ?? facts.task ?? 'TASK'
  return action === 'retrieve_batch' ? {action, ids: [task]} : {action, id: task}
}

/** A body that can be sent, with names in capitals instead of unknown values (contract/chat §1). */
function bodyOf(call: FlowCall, facts: CallFacts): object {
  const {address, action, conversation} = call
  if (!chatPath.test(address)) return taskBodyOf(call, facts)
  const command = {action, id: conversation ?? facts.conversation ?? 'CONVERSATION'}
  const message = call.message ?? facts.message ?? 'MESSAGE'
  switch (action) {
    case undefined:
      // the first question of a conversation names none
      return {
        question: 'QUESTION',
        model: facts.model ?? 'MODEL',
        references: [],
        ...(conversation === undefined ? {} : {id: conversation}),
        // without them it would be another question at the end of the conversation
        version_of: call.version,
        after: call.after,
        answer_to: call.answerTo,
        stateful: true,
      }
    case 'follow':
    case 'revisions':
      return {action}
    case 'retrieve_batch':
      return {action, user_id: 'USER'}
    case 'stop':
    case 'select':
    case 'remove':
      return {...command, message}
    case 'edit':
      return {...command, message, question: 'QUESTION'}
    case 'resume':
      return {...command, message, attempt: facts.attempt ?? 1, last_seq: 0}
    default:
      return call.message === undefined ? command : {...command, message}
  }
}

/** The call for a shell. The reader fills in the token, and a question: the log has no word of it (decision 60). */
export function curlOf(call: FlowCall, facts: CallFacts = {}): string {
  const {method, address} = call
  const hasBody = method.toUpperCase() !== 'GET'
  return [
    `curl -X ${method.toUpperCase()} ${quoted(address)}`,
    `-H "authorization: Bearer $TOKEN"`,
    ...(hasBody ? [`-H 'content-type: application/json'`, `-d ${quoted(JSON.stringify(bodyOf(call, facts)))}`] : []),
  ].join(' \\\n  ')
}

/** The steps and the facts beside them as JSON, for a report. */
export function reportOf(entries: readonly FlowEntry[], facts: Readonly<Record<string, string>>): string {
  const steps = entries.map((entry) => ({
    ...entry,
    ...('state' in entry && {state: stateName(entry.state)}),
    at: new Date(entry.at).toISOString(),
  }))
  // nothing of a secret is noted; a second look costs nothing here
  return JSON.stringify(
    createSanitizer()({page: location.origin, agent: navigator.userAgent, ...facts, steps}),
    null,
    2,
  )
}
