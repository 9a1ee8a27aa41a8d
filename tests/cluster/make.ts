import {setTimeout as pause} from 'node:timers/promises'
import {expectStatus, hashOf, newKey, type User} from './user.ts'
import {jsonOf} from './client.ts'
import type {FileRecord, OrderRecord, TaskRecord} from './records.ts'

/* Images, files and orders: what a user makes beside asking. */

/** Addresses of our own files, wherever they stand in an answer. */
const filesIn = (value: unknown): string[] => [
  ...new Set(JSON.stringify(value).match(/\/services\/platform\/api\/v1\/files\/[\w-]{22}\/[^"\\]+/g) ?? []),
]

/** Generates an image, waits for it and loads it: by the provider that costs credits, or by the sandbox. */
export async function generate(user: User): Promise<void> {
  const service = user.choose(['flux', 'flux', 'nano-banana'])
  const prompt = user.next('image')
  const record: TaskRecord = {...user.note(`${service} "${prompt}"`), prompt, files: []}
  user.records.tasks.push(record)
  const body = service === 'flux' ? {prompt} : {action: 'generate', prompt}
  const answer = await user.api(`/${service}/images`, {...body, async: true}, {'idempotency-key': newKey()})
  if (answer.status === 403) return
  record.id = String(expectStatus(answer, record.request)['task_id'])
  const response = await endOf(user, service, record)
  if (response === undefined) return
  record.end = response['success'] === true ? 'succeeded' : 'failed'
  for (const path of filesIn(response)) {
    const bytes = await load(user, record.request, path)
    if (bytes !== undefined) record.files.push({path, hash: hashOf(bytes)})
  }
  if (record.end === 'succeeded' && record.files.length === 0) user.fault(record.request, 'has no file')
}

/** Asks for the task until it has ended; `undefined`: it never does. */
async function endOf(user: User, service: string, {id, request}: TaskRecord) {
  while (!user.parts.isOver()) {
    const answer = await user.api(`/${service}/tasks`, {action: 'retrieve', id})
    if (answer.status === 404) return void user.fault(request, `task ${id} is not known`)
    const {response} = expectStatus(answer, request)
    const end: Record<string, unknown> = typeof response === 'object' && response !== null ? {...response} : {}
    if (typeof end['success'] === 'boolean') return end
    await pause(500)
  }
  return undefined
}

/** The bytes behind a capability address. */
async function load(user: User, request: string, path: string): Promise<Buffer | undefined> {
  const answer = await user.client.ask({method: 'GET', path})
  if (answer.status === 200) return answer.body
  return void user.fault(request, `${path}: ${answer.status}`)
}

/** A text of a length that sometimes needs several parts in the store. */
function newText(user: User): string {
  const line = `${user.next('line')} ${user.whole(1_000_000_000)}\n`
  const length = user.whole(20) === 0 ? 9_000_000 : 1_000 + user.whole(200_000)
  return line.repeat(Math.ceil(length / line.length))
}

/** Uploads a file and loads it again; the bytes must be the same at any node. */
export async function upload(user: User): Promise<void> {
  const name = `${user.next('file')}.txt`
  const text = newText(user)
  const record: FileRecord = {
    ...user.note(`upload ${name}`),
    name,
    size: Buffer.byteLength(text),
    hash: hashOf(text),
  }
  user.records.files.push(record)
  const boundary = 'cluster-file-boundary'
  const body = Buffer.from(
    `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: text/plain\r\n\r\n${text}\r\n--${boundary}--\r\n`,
  )
  const sent = await user.client.ask({
    method: 'POST',
    path: '/services/platform/api/v1/files/',
    body,
    headers: {
      ...user.bearer(),
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'idempotency-key': newKey(),
    },
  })
  const {id, file_url: address} = expectStatus(sent, record.request)
  record.id = String(id)
  record.path = new URL(String(address)).pathname
  const bytes = await load(user, record.request, record.path)
  if (bytes !== undefined && hashOf(bytes) !== record.hash) user.fault(record.request, 'other bytes came back')
}

/** Orders credits and pays them by the simulated payment; some cards are declined first, and some orders left alone. */
export async function order(user: User): Promise<void> {
  const amount = 10 + user.whole(200)
  const description = user.next('order')
  const record: OrderRecord = {...user.note(`order ${description} of ${amount} credits`), amount, description}
  user.records.orders.push(record)
  const made = await user.platform(
    'POST',
    '/api/v1/orders/',
    {application_id: user.application, amount, description},
    {'idempotency-key': newKey()},
  )
  record.id = String(expectStatus(made, record.request)['id'])
  record.state = 'Pending'
  const habit = user.whole(5)
  if (habit === 0) return
  if (habit === 1) await pay(user, record, 'decline')
  await pay(user, record, 'pay')
  while (record.state !== 'Finished' && !user.parts.isOver()) {
    await pause(500)
    record.state = String(expectStatus(await user.platform('GET', `/api/v1/orders/${record.id}`), 'order')['state'])
  }
}

async function pay(user: User, record: OrderRecord, outcome: 'pay' | 'decline'): Promise<void> {
  const begun = await user.platform('POST', `/api/v1/orders/${record.id}/pay/`, {pay_way: 'Sandbox'})
  const page = expectStatus(begun, record.request)['pay_url']
  if (typeof page !== 'string') return user.fault(record.request, 'has no page to pay at')
  const sent = await user.client.ask({
    method: 'POST',
    path: new URL(page).pathname,
    headers: {'content-type': 'application/x-www-form-urlencoded'},
    body: `outcome=${outcome}`,
  })
  if (sent.status >= 400) user.fault(record.request, `${outcome}: ${sent.status} ${sent.body.toString().slice(0, 200)}`)
}

/** Looks at a conversation as a page does that is opened anew: what was acknowledged is there, at any node. */
export async function look(user: User, conversation: string): Promise<void> {
  const answer = await user.api('/aichat/conversations', {action: 'retrieve', id: conversation})
  if (answer.status !== 200) return user.fault(`look at ${conversation}`, String(answer.status))
  const {messages} = jsonOf(answer)
  const text = JSON.stringify(messages)
  for (const record of user.records.questions)
    if (record.conversation === conversation && !text.includes(JSON.stringify(record.question)))
      user.fault(record.request, `is not in its conversation ${conversation}`)
}
