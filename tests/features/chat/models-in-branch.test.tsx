import {act, fireEvent, screen, within} from '@testing-library/react'
import {NEVER} from 'rxjs'
import {expect, test} from 'vitest'
import {createActor, fromEventObservable, fromPromise, waitFor} from 'xstate'
import type {ServedModel} from '#contract/management.ts'
import type {ConversationRecord, RecordMessage} from '#domain/conversation.ts'
import {ChatScreen} from '#features/chat/chat-screen.tsx'
import '#features/chat/thread-views.ts'
import {selectConversation} from '#machines/conversation-list/conversation-list.selectors.ts'
import {messageChangesMachine} from '#machines/message-changes/message-changes.machine.ts'
import type {MessageChange, MessageChangesEvent} from '#machines/message-changes/message-changes.types.ts'
import '#ui/overlays/menu-overlay.tsx'
import '#ui/overlays/popover-overlay.tsx'
import {eventually} from '#tests/eventually.ts'
import {renderView} from '#tests/ui/render.tsx'
import {stopAfterTest} from '#tests/stop-after-test.ts'
import {createChat, createChatActors, InChat, now, record} from './chat-fixture.tsx'

/* The models of other groups, below those that can answer again. */

const served: ServedModel[] = [
  {name: 'gpt-5-all', group: 'chatgpt', provider: 'p', isFileSupported: true, isImageSupported: true},
  {name: 'deepseek-v3', group: 'deepseek', provider: 'p'},
  {name: 'sandbox', label: 'Sandbox', group: 'deepseek', provider: 'sandbox'},
  {name: 'grok-4', group: 'grok', provider: 'p', disabled: 'not_configured'},
  {name: 'grok-3', group: 'grok', provider: 'p', isImageSupported: true},
]
const sentence = /^These models answer in a branch/
const said = (question: string, id: number, more: Partial<RecordMessage> = {}): RecordMessage[] => [
  {role: 'user', content: question, id: `q-${id}`, state: 'finished'},
  {role: 'assistant', content: `said ${question}`, id: `a-${id}`, state: 'finished', model: 'gpt-5-all', ...more},
]
const withFile = (url: string): RecordMessage => ({
  role: 'user',
  content: [
    {type: 'text', text: 'three'},
    {type: 'file_url', file_url: {url}},
  ],
  id: 'q-3',
})

/** The screen of a conversation on a server with these capabilities, and what its changes are asked for. */
async function show(messages: RecordMessage[], given: Partial<ConversationRecord> = {}, isOurs = true) {
  const requests: (MessageChange | undefined)[] = []
  const created = createChatActors({served, records: [record('a', {messages, ...given})]})
  const {conversations} = created.actors
  if (isOurs)
    conversations.send({type: 'service.changed', capabilities: ['idempotency', 'versions', 'branch-model', 'preset']})
  await waitFor(conversations, (snapshot) => snapshot.matches('success'))
  const changes = createActor(
    messageChangesMachine.provide({
      actors: {
        changeConversation: fromPromise<string | undefined, MessageChange | undefined>(({input}) => {
          requests.push(input)
          return new Promise(() => {})
        }),
        followConversation: fromEventObservable<MessageChangesEvent, undefined>(() => NEVER),
      },
    }),
    {input: {unconfirmed: []}},
  ).start()
  stopAfterTest(changes)
  const ports = createChat(created.actors)
  const chat = {...ports.chat, openChanges: async () => changes}
  renderView(
    <InChat chat={chat}>
      <ChatScreen location={{group: 'chatgpt', conversation: 'a'}} />
    </InChat>,
  )
  await screen.findAllByRole('article')
  return {...created, ...ports, requests, changes}
}

async function open() {
  const menus = await screen.findAllByRole('button', {name: 'More actions'})
  fireEvent.click(menus.at(-1) ?? document.body)
  const entry = await screen.findByRole('menuitem', {name: 'Choose a model for a new answer'})
  // what it opens suspends
  await act(async () => fireEvent.click(entry))
  return screen.findByRole('grid')
}

test('stand below those of this group, each under its name, with what happens and what they cannot read', async () => {
  const {requests, changes} = await show([
    ...said('one', 1),
    withFile('https://hub.example/a.pdf'),
    ...said('x', 3).slice(1),
  ])
  await waitFor(changes, ({context}) => context.views === 1)
  const grid = await open()
  expect(
    within(grid)
      .getAllByRole('rowgroup')
      .map((group) => group.getAttribute('aria-label')),
  ).toEqual(['Model', 'DeepSeek', 'Grok', 'ChatGPT models that are not available here'])
  expect(within(grid).getAllByText(sentence)).toHaveLength(1)
  const deepseek = within(grid).getByRole('gridcell', {name: /DeepSeek.*can't read files/})
  expect(document.getElementById(deepseek.getAttribute('aria-describedby') ?? '')?.textContent).toMatch(sentence)
  expect(within(grid).getByRole('gridcell', {name: /Grok 3 .*reads images only/})).toBeVisible()
  // of another group only what can be chosen, and is a model
  expect(within(grid).queryByRole('gridcell', {name: /Sandbox/})).toBeNull()
  expect(within(grid).queryByRole('gridcell', {name: /Grok 4/})).toBeNull()

  fireEvent.click(deepseek)
  expect(await screen.findByText('Opening a branch for DeepSeek V3…')).toHaveProperty('role', 'status')
  expect(requests).toEqual([
    {
      action: 'askInBranch',
      message: 'a-3',
      upTo: 'a-1',
      title: 'Branch · title a',
      group: 'deepseek',
      model: 'deepseek-v3',
      ask: {
        question: 'three',
        references: ['https://hub.example/a.pdf'],
        sizes: {},
        key: expect.stringMatching(/^key-/),
      },
      at: now,
    },
  ])
  await eventually(() => expect(screen.queryByRole('grid')).toBeNull())
})

test('get the first question with the instructions of its conversation', async () => {
  const {requests, changes} = await show(said('one', 1))
  await waitFor(changes, ({context}) => context.views === 1)
  fireEvent.click(within(await open()).getByRole('gridcell', {name: /Grok 3/}))
  await screen.findByText(/^Opening a branch/)
  expect(requests).toEqual([
    {
      upTo: undefined,
      group: 'grok',
      model: 'grok-3',
      ask: {question: 'one', references: [], key: 'key-2'},
      action: 'askInBranch',
      message: 'a-1',
      title: 'Branch · title a',
      at: expect.any(Number),
    },
  ])
})

test('skip what was deleted, and what no server accepted', async () => {
  const refused = {state: 'failed', outcome: 'refused', unsent: true} as const
  const {requests, changes} = await show([
    ...said('one', 1),
    ...said('two', 2, {removing: true}).map((message) => ({...message, removing: true})),
    {role: 'user', content: 'three', unsent: true},
    {role: 'assistant', content: '', id: 'key-3', ...refused},
    {role: 'user', content: 'four', unsent: true},
    {role: 'assistant', content: '', id: 'key-4', ...refused},
  ])
  await waitFor(changes, ({context}) => context.views === 1)
  fireEvent.click(within(await open()).getByRole('gridcell', {name: /Grok 3/}))
  await screen.findByText(/^Opening a branch/)
  expect(requests).toEqual([
    {
      message: 'key-4',
      upTo: 'a-1',
      ask: {question: 'four', references: [], key: 'key-2'},
      action: 'askInBranch',
      title: 'Branch · title a',
      group: 'grok',
      model: 'grok-3',
      at: expect.any(Number),
    },
  ])
})

test('on a back end that makes no branches get a first question as a new conversation, and no later one', async () => {
  const theirs = said('one', 1).map(({role, content}) => ({role, content}))
  const {actors, answers, visited} = await show(theirs, {}, false)
  fireEvent.click(within(await open()).getByRole('gridcell', {name: /Grok 3/}))
  const [{conversation = ''} = {}] = visited
  expect(visited).toEqual([{group: 'grok', conversation: expect.stringMatching(/^key-/)}])
  expect(answers.map(({input}) => [input.model, input.conversation, input.exchange.question])).toEqual([
    ['grok-3', undefined, 'one'],
  ])
  expect(selectConversation(actors.conversations.getSnapshot(), conversation)?.getSnapshot().context.model).toBe(
    'grok-3',
  )
})

test('are not offered where what comes before the question would be lost', async () => {
  await show(
    [...said('one', 1), ...said('two', 2)].map(({role, content}) => ({role, content})),
    {},
    false,
  )
  expect(within(await open()).queryByText(sentence)).toBeNull()
})
