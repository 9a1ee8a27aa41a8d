import type {Purchase} from '../server/kill-loop.provider.ts'
import type {CutOff} from './cut-off.ts'
import type {FileRecord, OrderRecord, QuestionRecord, Records, TaskRecord} from './records.ts'
import type {Stored, StoredAnswer, StoredOrder} from './stored.ts'

/*
 * Compares what people were given with what is stored, and with what is given again. One comparison is one rule for one
 * record. It only reads; `tests/tools/cluster-oracle.test.ts` sees it fail.
 */

/** `given`: bytes that an address gives now, by their hash; `undefined`: none. */
export type Evidence = {
  records: Records
  stored: Stored
  given: ReadonlyMap<string, string | undefined>
  /** The purchases for which the provider was paid. */
  purchases: readonly Purchase[]
  /** Bytes of each file in the store, by its name. */
  sizes: ReadonlyMap<string, number>
  cutOffs: readonly CutOff[]
  /** Answers and tasks that did not end in the time they had. */
  open: number
  /** Nodes that ended without being asked to. */
  deaths: readonly string[]
}
/**
 * A request sent just before an end may arrive just after it: the provider, the database and the clients share a
 * clock, not a moment, and two cores with 200 users.
 */
const underWayMilliseconds = 1_000

export type Verdict = {counts: Map<string, number>; failures: string[]}

type Subject = {user: number; request: string; at: string}

class Judge {
  readonly counts = new Map<string, number>()
  readonly failures: string[] = []

  hold(rule: string, isSo: boolean, subject: Subject | undefined, detail: string): void {
    if (isSo) {
      this.counts.set(rule, (this.counts.get(rule) ?? 0) + 1)
      return
    }
    const who = subject === undefined ? '' : `${subject.at} user ${subject.user}, ${subject.request}: `
    this.failures.push(`${rule}: ${who}${detail}`)
  }
}

const groupedBy = <T>(rows: readonly T[], key: (row: T) => string | null): Map<string, T[]> => {
  const groups = new Map<string, T[]>()
  for (const row of rows) {
    const name = key(row)
    if (name === null) continue
    const group = groups.get(name)
    if (group === undefined) groups.set(name, [row])
    else group.push(row)
  }
  return groups
}

export function judge(evidence: Evidence): Verdict {
  const {records, stored, given} = evidence
  const verdict = new Judge()
  for (const fault of records.faults) verdict.hold('nothing unexpected while at work', false, fault, fault.fault)
  judgeAccounts(verdict, records, stored)
  judgeQuestions(verdict, records.questions, stored)
  judgeTasks(verdict, records.tasks, evidence)
  judgePurchases(verdict, evidence)
  judgeFiles(verdict, records.files, stored, given)
  for (const {name, size} of stored.bytes) {
    const found = evidence.sizes.get(name)
    verdict.hold('the store has the bytes of a file', found === size, undefined, `${name}: ${found} of ${size}`)
  }
  judgeOrders(verdict, records.orders, stored)
  judgeAnswers(verdict, stored.answers)
  judgeCutOffs(verdict, evidence.cutOffs)
  const trailingRows = JSON.stringify(stored.trailingRows.slice(0, 5))
  verdict.hold(
    'nothing is written after the end',
    stored.trailingRows.length === 0,
    undefined,
    `${stored.trailingRows.length}: ${trailingRows}`,
  )
  for (const [rule, rows] of Object.entries(stored.broken))
    verdict.hold(`the books: ${rule}`, rows.length === 0, undefined, JSON.stringify(rows.slice(0, 3)))
  verdict.hold('everything ends', evidence.open === 0, undefined, `${evidence.open} answers or tasks have not ended`)
  verdict.hold('no job is given up', stored.deadJobs.length === 0, undefined, JSON.stringify(stored.deadJobs))
  verdict.hold('no node ends by itself', evidence.deaths.length === 0, undefined, evidence.deaths.join('; '))
  return verdict
}

function judgeAccounts(verdict: Judge, {accounts}: Records, {users}: Stored): void {
  const byEmail = groupedBy(users, ({email}) => email)
  for (const account of accounts) {
    const found = byEmail.get(account.email) ?? []
    const isGiven = account.id !== undefined
    const isSo = isGiven ? found.length === 1 && found[0]?.id === account.id : found.length <= 1
    verdict.hold('an account is there once', isSo, account, `${found.length} accounts`)
  }
}

function judgeQuestions(verdict: Judge, questions: readonly QuestionRecord[], stored: Stored): void {
  const asked = groupedBy(stored.questions, ({content}) => content)
  const answers = groupedBy(stored.answers, ({message_id: id}) => id)
  for (const record of questions) {
    const rows = asked.get(record.question) ?? []
    if (record.message === undefined) {
      const most = record.refused === undefined ? 1 : 0
      verdict.hold('a question is there at most once', rows.length <= most, record, `${rows.length} times`)
      continue
    }
    const isOnce = rows.length === 1 && rows[0]?.conversation_id === record.conversation
    verdict.hold('an acknowledged question is there once', isOnce, record, `${rows.length} times`)
    const [answer, second] = answers.get(record.message) ?? []
    const isAnswered = answer !== undefined && second === undefined && answer.question === record.question
    verdict.hold('an acknowledged question has its one answer', isAnswered, record, `message ${record.message}`)
    if (answer === undefined) continue
    judgeStream(verdict, record, answer)
    judgeStop(verdict, record, answer)
  }
}

/** Compares the received text with the stored one: equal, or honestly said to be interrupted. */
function judgeStream(verdict: Judge, record: QuestionRecord, answer: StoredAnswer): void {
  const text = answer.text ?? ''
  const said = [
    `heard ${record.text.length} of ${text.length} characters, ${JSON.stringify(record.end)}`,
    `stored ${answer.state} ${answer.outcome} (message ${record.message})`,
    differenceOf('heard and stored', record.text, text),
    differenceOf('expected and stored', record.expected, text),
  ].join('; ')
  verdict.hold('a stream ends', record.end !== undefined, record, said)
  if (record.end === undefined) return
  const isSame = record.end.state === answer.state && (record.end.outcome ?? null) === answer.outcome
  verdict.hold('an answer ends as it was said to', isSame, record, said)
  if (answer.state === 'finished') {
    const isEqual = record.text === text && text === record.expected
    verdict.hold('a finished answer is the one that was heard', isEqual, record, said)
    return
  }
  // a node that died had told its readers more than it could store; a reader that came later hears what is stored
  const isPart = record.text.startsWith(text) || text.startsWith(record.text)
  const isTrue = record.expected.startsWith(record.text) && record.expected.startsWith(text)
  verdict.hold('a cut answer is a part of the whole', isPart && isTrue, record, said)
}

/** Returns the index at which two texts part. */
function differenceOf(what: string, one: string, other: string): string {
  let at = 0
  while (at < one.length && one[at] === other[at]) at += 1
  if (at === one.length && at === other.length) return `${what} are equal`
  const near = (text: string) => JSON.stringify(text.slice(Math.max(0, at - 30), at + 60))
  return `${what} part at ${at}: ${near(one)}, ${near(other)}`
}

/** Expects that the stored facts of an answer agree with each other. */
function judgeAnswers(verdict: Judge, answers: readonly StoredAnswer[]): void {
  for (const {message_id: id, text, deltas, shown} of answers) {
    const isSame = (deltas ?? '') === (text ?? '') && (shown ?? '') === (text ?? '')
    const lengths = [text, deltas, shown].map((each) => each?.length)
    verdict.hold(
      'an answer, its deltas and its message are equal',
      isSame,
      undefined,
      `message ${id}: ${lengths.join()}`,
    )
  }
}

/** Whether a wish to stop was kept: what it was answered with says that nothing more is made and paid. */
function judgeStop(verdict: Judge, record: QuestionRecord, {state, ended}: StoredAnswer): void {
  if (record.stoppedAt === undefined) return
  const after = ended === null ? Infinity : ended - record.stoppedAt
  const detail = `${state}, ended ${after} ms after the stop was answered (message ${record.message})`
  verdict.hold('an acknowledged stop stops', after <= underWayMilliseconds, record, detail)
}

/** Each thing is bought once at most, for something that is wanted, and not after its end. */
function judgePurchases(verdict: Judge, {stored, purchases}: Evidence): void {
  const wishes = {
    answer: groupedBy(stored.answers, ({question}) => question),
    image: groupedBy(stored.tasks, ({prompt}) => prompt),
  }
  const seen = new Set<string>()
  for (const {kind, prompt, at} of purchases) {
    const name = `${kind} "${prompt}"`
    verdict.hold(`an ${kind} is bought at most once`, !seen.has(name), undefined, name)
    seen.add(name)
    const [wish] = wishes[kind].get(prompt) ?? []
    verdict.hold(`an ${kind} is bought for a wish`, wish !== undefined, undefined, name)
    const after = at - (wish?.ended ?? Infinity)
    const detail = `${name} at ${new Date(at).toISOString()}, ${after} ms after its end`
    verdict.hold('nothing is bought after the end', after <= underWayMilliseconds, undefined, detail)
  }
}

/** A node that is cut off from the database says so and nothing else, and each one comes back without help. */
function judgeCutOffs(verdict: Judge, cutOffs: readonly CutOff[]): void {
  for (const {node, side, how, at, said, backAfter} of cutOffs) {
    const name = `${at} ${node} from the ${side}, ${how}`
    verdict.hold('a node that was cut off comes back by itself', backAfter !== undefined, undefined, name)
    if (side !== 'database' || said.length === 0) continue
    // a machine that is busy may let a question wait too long, but not each
    const isSaid = said.includes('no_database') && said.every((word) => word === 'no_database' || word === 'nothing')
    verdict.hold('a node that is cut off from the database says so', isSaid, undefined, `${name}: ${said.join()}`)
  }
}

function judgeTasks(verdict: Judge, tasks: readonly TaskRecord[], {stored, given}: Evidence): void {
  const byPrompt = groupedBy(stored.tasks, ({prompt}) => prompt)
  for (const record of tasks) {
    const rows = byPrompt.get(record.prompt) ?? []
    if (record.id === undefined) {
      verdict.hold('a task is there at most once', rows.length <= 1, record, `${rows.length} times`)
      continue
    }
    const isOnce = rows.length === 1 && rows[0]?.id === record.id
    verdict.hold('an acknowledged task is there once', isOnce, record, `${rows.length} times, ${record.id}`)
    const state = rows[0]?.state
    const isSame = record.end !== undefined && state === record.end
    verdict.hold('a task ends as it was said to', isSame, record, `heard ${record.end}, stored ${state}, ${record.id}`)
    for (const {path, hash} of record.files)
      verdict.hold('a result gives the same bytes', given.get(path) === hash, record, `${path}: ${given.get(path)}`)
  }
}

function judgeFiles(verdict: Judge, files: readonly FileRecord[], stored: Stored, given: Evidence['given']): void {
  const byName = groupedBy(stored.files, ({name}) => name)
  for (const record of files) {
    const rows = byName.get(record.name) ?? []
    verdict.hold('an upload is there at most once', rows.length <= 1, record, `${rows.length} times`)
    if (record.id === undefined || record.path === undefined) continue
    const found = rows.filter(({id}) => id === record.id)
    const isThere = found.length === 1 && found[0]?.size === record.size
    verdict.hold('an acknowledged file is there once', isThere, record, `${record.id}: ${found.length} times`)
    const hash = given.get(record.path)
    verdict.hold('a file gives the same bytes', hash === record.hash, record, `${record.path}: ${hash}`)
  }
}

function judgeOrders(verdict: Judge, orders: readonly OrderRecord[], stored: Stored): void {
  const byName = groupedBy(stored.orders, ({description}) => description)
  for (const record of orders) {
    const rows = byName.get(record.description) ?? []
    if (record.id === undefined) {
      verdict.hold('an order is there at most once', rows.length <= 1, record, `${rows.length} times`)
      continue
    }
    const isOnce = rows.length === 1 && rows[0]?.id === record.id && Number(rows[0].amount) === record.amount
    verdict.hold('an acknowledged order is there once', isOnce, record, `${rows.length} times, ${record.id}`)
    const state = rows[0]?.state
    if (record.state === 'Finished')
      verdict.hold('a paid order stays paid', state === 'Finished', record, `${record.id} is ${state}`)
  }
  // of all orders, also of those whose answer was lost
  for (const order of stored.orders) judgeCredits(verdict, order)
}

function judgeCredits(verdict: Judge, {id, state, amount, granted, payments}: StoredOrder): void {
  const isPaid = state === 'Finished'
  const isSo = Number(granted ?? 0) === (isPaid ? Number(amount) : 0) && payments === (isPaid ? 1 : 0)
  const detail = `${id} is ${state}: ordered ${amount}, booked ${granted}, ${payments} payments`
  verdict.hold('credits are booked once for a paid order', isSo, undefined, detail)
}
