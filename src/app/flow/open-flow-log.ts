import {z} from '#contract/schema.ts'
import {ownerMark} from '#domain/owner-mark.ts'
import {parseJson} from '#domain/parse-json.ts'
import type {RootDeps} from '../logic/root-deps.ts'
import {createFlowLog, newestOf, type FlowEntry} from './flow-log.ts'

/** Unix milliseconds that a `Date` can show. */
const time = z.number().check(z.minimum(0), z.maximum(8.64e15))
const text = z.string()
const name = z.optional(text)
const count = z.optional(z.number())
const about = {at: time, key: name, conversation: name}
const stateValue = text.check(z.refine((json) => parseJson(json) !== undefined))
const question = {version: name, after: name, answerTo: name}
const call = {method: text, address: text, action: name, message: name, status: count, trace: name, took: count}
const storedEntries = z.array(
  z.union([
    z.object({at: time, page: z.literal('loaded')}),
    z.object({...about, actor: text, state: stateValue, event: text, subject: name}),
    z.object({...about, ...question, ...call}),
  ]),
)

type Deps = Pick<RootDeps, 'leftFlow'> & {state: Pick<RootDeps['state'], 'epoch'>}
type Target = Pick<EventTarget, 'addEventListener'>
type View = Pick<Window, 'addEventListener'> & {document: Target & Pick<Document, 'visibilityState'>}

/**
 * The log of this page, behind what the pages before it in its tab noted in the same session. It is stored when the
 * page is hidden or left; what is stored is read when "What happened" opens or this page goes (decision 152).
 */
export function openFlowLog(
  send: typeof fetch,
  {leftFlow, state}: Deps,
  session: () => {user: {id: string}; epoch: number} | undefined,
  view: View = window,
  now = Date.now,
) {
  const log = createFlowLog(send, now)
  const firstEntry: FlowEntry = {at: now(), page: 'loaded'}
  let earlier: readonly FlowEntry[] | undefined
  /** When the page that notes now was loaded, or brought back from the browser's own cache. */
  let begin: FlowEntry = firstEntry
  /** The last text that this page wrote, and its own entries in it. */
  let lastWrite: {text: string; own: WeakSet<FlowEntry>} | undefined
  /** Entries of this page that are among the earlier ones. */
  let ownEarlier = new WeakSet<FlowEntry>()
  // the session ended in another tab while the browser had put this one aside
  if (leftFlow.read()?.startsWith(`${state.epoch()} `) === false) leftFlow.write(undefined)

  const read = (owner: string): readonly FlowEntry[] => {
    const storedText = leftFlow.read() ?? ''
    const {data = []} = storedEntries.safeParse(
      storedText.startsWith(owner) ? parseJson(storedText.slice(owner.length)) : [],
    )
    return data.length === 0 ? [] : [...data, begin]
  }
  const entriesOf = (owner: string) =>
    newestOf([...(earlier ??= read(owner)), ...log.entries.filter((entry) => !ownEarlier.has(entry))])
  const ownerOf = () => {
    const current = session()
    return current && `${current.epoch} ${ownerMark(current.user.id)} `
  }
  const leave = () => {
    const owner = ownerOf()
    if (owner === undefined) return
    const text = owner + JSON.stringify(entriesOf(owner))
    leftFlow.write(text)
    // a full or forbidden storage takes nothing
    lastWrite = leftFlow.read() === text ? {text, own: new WeakSet(log.entries)} : undefined
  }
  const comeBack = ({persisted}: PageTransitionEvent) => {
    if (!persisted || lastWrite === undefined || leftFlow.read() === lastWrite.text) return
    // other pages wrote behind what this one had left, or the session ended
    earlier = undefined
    begin = {at: now(), page: 'loaded'}
    ownEarlier = lastWrite.own
  }
  view.addEventListener('pageshow', comeBack)
  view.addEventListener('pagehide', leave)
  // phones end a hidden page without another event
  view.document.addEventListener('visibilitychange', () => {
    if (view.document.visibilityState === 'hidden') leave()
  })
  return {
    ...log,
    entries(): readonly FlowEntry[] {
      const owner = ownerOf()
      return owner === undefined ? [] : entriesOf(owner)
    },
    /** The session has ended, and what was stored of it is gone. */
    forget() {
      log.forget()
      earlier = []
    },
  }
}
export type OpenFlowLog = ReturnType<typeof openFlowLog>
