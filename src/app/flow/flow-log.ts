import type {AnyActorRef, InspectionEvent} from 'xstate'

/**
 * A state that an actor went to. `subject`: the server's name of the answer or task that the actor works on; `key`:
 * that of the question; `conversation`: the server's name of it.
 */
export type FlowState = {
  at: number
  actor: string
  state: string
  event: string
  subject?: string | undefined
  key?: string | undefined
  conversation?: string | undefined
}
/**
 * A call that left the page: no header, no body, no query, but what it is about (`key`, `message`, `conversation`; of a
 * question also the message that it makes a `version` of, the one that it comes `after`, and the one that is answered,
 * `answerTo`). `took`, `status` and `trace`: once it was answered.
 */
export type FlowCall = {
  at: number
  method: string
  address: string
  /** The action of a command of the chat. */
  action?: string | undefined
  key?: string | undefined
  message?: string | undefined
  conversation?: string | undefined
  version?: string | undefined
  after?: string | undefined
  answerTo?: string | undefined
  status?: number | undefined
  trace?: string | undefined
  took?: number | undefined
}
/** The page was loaded: what stands before was noted by the page before it in the same tab. */
export type FlowLoad = {at: number; page: 'loaded'}
export type FlowEntry = FlowState | FlowCall | FlowLoad

/** A call that has left the page. `at`: when; `end`: resolves with the time at which it was answered or lost. */
type SentCall = {at: number; answer: Promise<Response>; end: Promise<number>}
type NotedFetch = (...call: [...Parameters<typeof fetch>, sent?: SentCall]) => Promise<Response>

/** The parts of a context that name the answer: while it is on its way, and when it has ended. */
type ConversationContext = {
  id?: string
  exchange?: {message?: string; key?: string}
  messages?: readonly {id?: string}[]
}

/** A name at the top of a body; quotes within its texts are escaped. */
const named = (body: BodyInit | null | undefined, name: string) =>
  typeof body === 'string' ? new RegExp(`[{,]"${name}":"([\\w-]+)"`).exec(body)?.[1] : undefined

/** Most entries, and among them calls that only read, as polls do: older ones are forgotten. */
const mostEntries = 600
const mostReads = 200
const isRead = (entry: FlowEntry) =>
  'address' in entry &&
  (entry.action === undefined
    ? [entry.key, entry.message, entry.conversation].every((name) => name === undefined)
    : /^(?:retrieve|retrieve_batch|revisions|follow)$/.test(entry.action))

/** The newest entries. Reads, which may go on for hours, push out each other, and not the steps of an answer. */
export function newestOf(entries: readonly FlowEntry[]): readonly FlowEntry[] {
  const oldReads = new Set(entries.filter(isRead).slice(0, -mostReads))
  return entries.filter((entry) => !oldReads.has(entry)).slice(-mostEntries)
}

/** Reports are about answers and tasks: states of other actors, as those that poll, would push theirs out. */
const isReported = (actor: string) => /^(?:conversation|submission)\//.test(actor)

/**
 * Events of this page's actors and its calls, as far as a report needs them: no text, no token, no header
 * (docs/inspecting.md). Written before it is asked for, so that "What happened" can show finished work.
 */
export function createFlowLog(send: typeof fetch, now = Date.now) {
  const entries: FlowEntry[] = []
  const states = new WeakMap<object, string>()
  const listeners = new Set<() => void>()
  let revision = 0
  const report = () => {
    revision += 1
    for (const listener of listeners) listener()
  }
  const note = (entry: FlowEntry) => {
    entries.push(entry)
    if (entries.length > mostEntries || isRead(entry)) entries.splice(0, entries.length, ...newestOf(entries))
    report()
  }
  const sendNow = (input: Parameters<typeof fetch>[0], init: RequestInit): SentCall => {
    const at = now()
    const answer = send(input, init)
    return {at, answer, end: answer.then(now, now)}
  }
  return {
    // as: readers do not write
    entries: entries as readonly FlowEntry[],
    /** Calls the listener with each entry, and as a call of an entry is answered. Returns the end of it. */
    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    /** Another number with each of these. */
    revision: () => revision,
    /** Nothing of a user outlives the session. */
    forget: () => void entries.splice(0),
    /** Observer of all actors; notes those of answers and tasks. `at`: when it happened. */
    observe(inspection: InspectionEvent, at?: number): void {
      if (inspection.type !== '@xstate.snapshot' || !('value' in inspection.snapshot)) return
      const {actorRef, event, snapshot} = inspection
      // as: xstate reports actors and types less of them
      const {id: actor} = actorRef as AnyActorRef
      if (!isReported(actor)) return
      const state = JSON.stringify(snapshot.value)
      if (states.get(actorRef) === state) return
      states.set(actorRef, state)
      // as: of the two only conversations have these in their context
      const {id, exchange, messages} = (snapshot as {context?: ConversationContext}).context ?? {}
      // as: events are typed by their charts; the answer to a request for a task names it
      const {task} = (event as {output?: {task?: unknown}}).output ?? {}
      const answer = exchange === undefined ? messages?.at(-1)?.id : exchange.message
      const subject = typeof task === 'string' ? task : answer
      const about = exchange === undefined ? {} : {key: exchange.key, conversation: id}
      note({at: at ?? now(), actor, state, event: event.type, subject, ...about})
    },
    /** `fetch` that leaves an entry; the call itself is as it would be. */
    fetch: (async (input, init = {}, {at, answer, end} = sendNow(input, init)) => {
      const call: FlowCall = {
        at,
        method: init.method ?? 'GET',
        address: (input instanceof Request ? input.url : input.toString()).split('?', 1)[0] ?? '',
        action: typeof init.body === 'string' ? /^\{"action":"(\w+)"/.exec(init.body)?.[1] : undefined,
        key: new Headers(init.headers).get('idempotency-key') ?? undefined,
        message: named(init.body, 'message'),
        conversation: named(init.body, 'id'),
        version: named(init.body, 'version_of'),
        after: named(init.body, 'after'),
        answerTo: named(init.body, 'answer_to'),
      }
      note(call)
      const took = (await end) - at
      try {
        const response = await answer
        call.status = response.status
        call.trace = response.headers.get('x-trace-id') ?? undefined
        return response
      } finally {
        call.took = took
        report()
      }
    }) satisfies NotedFetch,
  }
}
