import {afterEach, beforeEach, expect, test, vi} from 'vitest'
import {ApiError} from '#api/api-error.ts'
import {messageReferences, messageText} from '#domain/conversation.ts'
import {isRunning} from '#domain/conversation-list.ts'
import {lostContact} from '#domain/failure.ts'
import {selectItem} from '#machines/conversation-list/conversation-list.selectors.ts'
import {selectIsUnheard} from '#machines/message-changes/message-changes.selectors.ts'
import type {MessageChange} from '#machines/message-changes/message-changes.types.ts'
import {closeTabs, openBrowser, stored} from './tabs-fixture.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  closeTabs()
  vi.useRealTimers()
})
const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds)

const askInBranch = {
  action: 'askInBranch' as const,
  message: 'a-1',
  title: 'Branch · foo',
  group: 'grok' as const,
  model: 'grok-4',
  ask: {question: 'foo?', references: ['https://hub.example/a.png'], key: 'key'},
  at: 7,
} satisfies Partial<MessageChange>

test.each([
  ['of the messages before it', 'a-1', ['foo?', 'bar']],
  ['of none, where it is the first', undefined, []],
])(
  'a question for another group is asked in a branch %s, off the screen, and stands there before the server has it',
  async (_name, upTo, before) => {
    const {openTab, calls, asked} = openBrowser()
    const {list, changes, record} = await openTab(stored)
    const settled: unknown[] = []
    changes.on('change.settled', (fact) => settled.push(fact))
    changes.send({type: 'change.request', change: {...askInBranch, upTo}})
    await pass(0)
    expect(calls.map((call): unknown => JSON.parse(call))).toEqual([
      {action: 'branch', ...(upTo && {message: upTo}), title: 'Branch · foo', model: 'grok-4', id: 'foo'},
    ])
    expect(settled).toMatchObject([
      {type: 'change.settled', change: {upTo}, isDone: true, branch: 'branch', group: 'grok'},
    ])
    const branch = selectItem(list.getSnapshot(), 'branch')
    const {model, messages = []} = branch ?? {}
    expect([model, messages.map(({content}) => messageText(content))]).toEqual(['grok-4', [...before, 'foo?', '']])
    expect(messages.flatMap(({content}) => messageReferences(content))).toEqual(askInBranch.ask.references)
    expect(asked).toMatchObject([{request: 'ask', conversation: 'branch', model: 'grok-4', exchange: askInBranch.ask}])
    expect([list.getSnapshot().context.shown, record()]).toEqual([[], {...stored, updatedAt: record().updatedAt}])
    // what a page stores that is left now
    expect(isRunning(branch ?? stored)).toBe(true)
  },
)

test('a branch whose answer is lost is asked for once more under the same key, and its question stands in it', async () => {
  const {openTab, asked, chat} = openBrowser()
  const {list, changes} = await openTab(stored)
  list.send({type: 'service.changed', capabilities: ['idempotency', 'versions', 'branch-model', 'branch-key']})
  const command = chat.command
  const sent: (string | boolean | undefined)[][] = []
  let isCut = true
  chat.command = (schema, body, options) => {
    sent.push([options.headers?.['idempotency-key'], options.isRead])
    return isCut ? Promise.reject(new ApiError(lostContact('foo'))) : command(schema, body, options)
  }
  const choose = async (key: string) => {
    const ask = {...askInBranch.ask, key}
    changes.send({type: 'change.request', change: {...askInBranch, upTo: 'a-1', ask}})
    await pass(0)
  }
  await choose('one')
  expect([asked, selectIsUnheard(changes.getSnapshot(), 'a-1')]).toEqual([[], true])
  isCut = false
  await choose('two')
  expect(sent).toEqual([
    ['branch-one', true],
    ['branch-one', true],
  ])
  expect(asked).toEqual([
    {
      conversation: 'branch',
      exchange: {
        question: 'foo?',
        key: 'one',
        model: 'grok-4',
        references: ['https://hub.example/a.png'],
        sizes: {},
        attempt: 1,
        lastSeq: 0,
        answer: '',
        reconnects: 0,
        at: 7,
        message: 'one',
      },
      request: 'ask',
      model: 'grok-4',
      capabilities: ['idempotency', 'versions', 'branch-model', 'branch-key'],
    },
  ])
  expect(selectIsUnheard(changes.getSnapshot(), 'a-1')).toBe(false)
})

test('where no branch is made the question is asked nowhere, and stands where it was', async () => {
  const {openTab, asked, chat} = openBrowser()
  const {list, changes, record} = await openTab(stored)
  chat.command = () => Promise.reject(Object.assign(new Error(), {code: 'busy', status: 503}))
  changes.send({type: 'change.request', change: {...askInBranch, upTo: undefined}})
  await pass(0)
  expect([asked, list.getSnapshot().context.items.length]).toEqual([[], 1])
  expect(record().messages.map(({content}) => content)).toEqual(['foo?', 'bar'])
})
