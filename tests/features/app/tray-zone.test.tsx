import {createMemoryHistory, createRootRoute, createRouter, RouterContextProvider} from '@tanstack/react-router'
import {act, fireEvent, screen, within} from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type {ReactNode} from 'react'
import {createActor, createMachine, fromPromise, waitFor} from 'xstate'
import {beforeEach, expect, test, vi} from 'vitest'
import {ActorsProvider} from '#app/actors.context.tsx'
import {AppInfoContext, type AppInfo} from '#app/app-info.tsx'
import {TrayZone} from '#app/media/tray-zone.tsx'
import {TaskTrayButton} from '#app/shell/task-tray-button.tsx'
import type {EndedTask} from '#domain/ended-task.ts'
import type {AppActor} from '#machines/app/app.machine.ts'
import {conversationListMachine} from '#machines/conversation-list/conversation-list.machine.ts'
import {
  conversationPagesMachine,
  type ConversationPage,
  type ConversationPageInput,
} from '#machines/conversation-pages/conversation-pages.machine.ts'
import {noticesMachine} from '#machines/notices/notices.machine.ts'
import {selectServedModels} from '#machines/provisioning/provisioning.selectors.ts'
import {findActor} from '#machines/lib/find-actor.ts'
import type {TaskListActor} from '#machines/task-list/task-list.machine.ts'
import {taskListId} from '#machines/tasks/tasks.types.ts'
import type {TaskRecord} from '#domain/task-record.ts'
import {startEnvironment} from '../../machines/environment-fixture.ts'
import {nobody} from '../../machines/nobody.ts'
import {tasksWithTools} from '../../machines/tasks-fixture.ts'
import {createChatActors} from '../chat/chat-fixture.tsx'
import {renderView} from '../../ui/render.tsx'
import {eventually} from '../../eventually.ts'
import {stopAfterTest} from '#tests/stop-after-test.ts'

/** The actors in the system of a page, and the addresses that the page went to. */
const world: {actors: Record<string, unknown>; hrefs: string[]} = {actors: {}, hrefs: []}

/** The root of a page whose actor system holds the actors of the world. */
function startRoot(): AppActor {
  const root = createActor(createMachine({})).start()
  vi.spyOn(root.system, 'get').mockImplementation((id) => world.actors[String(id)])
  // as: the views look actors up by their id in its system, and ask for nothing else
  return root as unknown as AppActor
}

/** A router that knows one page; it notes every location it is sent to. */
function createTestRouter() {
  const history = createMemoryHistory()
  history.subscribe(({location}) => world.hrefs.push(location.href))
  const router = createRouter({routeTree: createRootRoute(), history})
  // as: the registered router type is the product's; the zone only navigates
  return router as never
}

const ended = (id: string, endedAt: number, more: Partial<EndedTask> = {}): EndedTask => ({
  id,
  status: 'succeeded',
  prompt: `prompt ${id}`,
  at: endedAt - 5,
  endedAt,
  ...more,
})

/** The tools that it opens never come: their deadline would end in a later test. */
function startTasks() {
  const tasks = createActor(tasksWithTools, {
    input: {session: nobody, userId: 'u-1', host: 'h', tools: [], environment: startEnvironment()},
  }).start()
  stopAfterTest(tasks)
  return tasks
}
const endedRecord = (id: string, endedAt: number): TaskRecord => ({
  task: {id, created_at: endedAt - 5, finished_at: endedAt, request: {prompt: `prompt ${id}`}},
  status: 'succeeded',
  reading: {artifacts: []},
})
function conversations(records: ConversationPage['records'] = []) {
  const list = createActor(
    conversationListMachine.provide({
      actors: {
        pages: conversationPagesMachine.provide({
          actors: {
            getConversations: fromPromise<ConversationPage, ConversationPageInput>(async () => ({records})),
          },
        }),
      },
    }),
    {input: {userId: 'u-1', environment: startEnvironment(), parentRef: nobody, restored: records}},
  ).start()
  stopAfterTest(list)
  return list
}

beforeEach(() => {
  world.hrefs.length = 0
  const session = createActor(createMachine({})).start()
  world.actors = {session, notices: createActor(noticesMachine).start(), conversations: conversations()}
})

type Given = Pick<AppInfo, 'prepareWords'> & {view: ReactNode}
const zone: Given = {prepareWords: () => Promise.resolve(), view: <TrayZone onClose={() => undefined} />}

function open(stored: Record<string, unknown[]> = {}, media: Partial<AppInfo['media']> = {}, given = zone) {
  const {prepareWords, view} = given
  // as: the zone uses these parts alone
  const info = {
    prepareWords,
    media: {
      now: () => 1_000,
      newKey: () => 'k',
      list: () => undefined,
      storedEnds: () => new Map(Object.entries(stored)),
      ...media,
    },
    chat: {
      newKey: () => 'key-1',
      now: () => 5,
      navigation: {href: ({conversation}: {conversation: string}) => `/chatgpt/${conversation}`},
    },
  } as unknown as AppInfo
  return renderView(
    <RouterContextProvider router={createTestRouter()}>
      <ActorsProvider root={startRoot()}>
        <AppInfoContext value={info}>{view}</AppInfoContext>
      </ActorsProvider>
    </RouterContextProvider>,
  )
}
const lines = () => within(screen.getByRole('list')).getAllByRole('link', {name: /prompt|Hello/})
const prompts = () => lines().map((line) => line.querySelector('b')?.textContent)

test('with nothing running the last five ends are listed as they were stored, the last one first', () => {
  open({
    flux: [ended('a', 900), ended('b', 100), ended('c', 200)],
    kling: [ended('d', 950), ended('e', 300), ended('f', 50), 'of another shape', {id: 'g'}],
  })
  expect(prompts()).toEqual(['prompt d', 'prompt a', 'prompt e', 'prompt c', 'prompt b'])
  expect(lines()[0]?.querySelector('small')?.textContent).toBe('Kling · Done')
})

test('what ends while the list is open appears, and what a running list tells replaces what was stored', () => {
  const tasks = startTasks()
  world.actors.tasks = tasks
  open({flux: [ended('a', 900), ended('removed', 800)], kling: [ended('b', 700)]})
  expect(prompts()).toEqual(['prompt a', 'prompt removed', 'prompt b'])
  act(() => {
    tasks.send({type: 'tool.open', tool: 'flux'})
    const list = findActor<TaskListActor>(tasks.system, taskListId('flux'))
    list?.send({type: 'tasks.polled', records: [endedRecord('a', 900), endedRecord('new', 990)]})
  })
  expect(prompts()).toEqual(['prompt new', 'prompt a', 'prompt b'])
})

test('a line leads to its task', async () => {
  open({flux: [ended('a', 900)]})
  await userEvent.click(lines()[0] as HTMLElement) // as: there is one
  await eventually(() => expect(world.hrefs).toEqual(['/flux#a']))
})

test('a failed one can be sent again; a tool that does not open says so', async () => {
  const notices = createActor(noticesMachine).start()
  world.actors.notices = notices
  const repeat = vi.fn(() => Promise.reject(new Error('foo')))
  open({flux: [ended('a', 900, {status: 'failed'}), ended('b', 800)]}, {repeat})
  await userEvent.click(screen.getByRole('button', {name: 'Try again'}))
  expect(repeat).toHaveBeenCalledWith('flux', 'a')
  await eventually(() =>
    expect(notices.getSnapshot().context.notices).toEqual([
      {kind: 'error', id: 'k', textId: 'common.mediaOpenFailed', values: {tool: 'Flux'}},
    ]),
  )
})

const failedChat = (model: string): ConversationPage['records'][number] => ({
  key: 'c',
  id: 'c',
  model,
  title: 'Hello',
  messages: [
    {role: 'user', content: 'Hello', state: 'finished'},
    {role: 'assistant', content: 'Hi', state: 'finished'},
    {role: 'user', content: '**Which** prompt?', state: 'finished'},
    {role: 'assistant', content: '', state: 'failed'},
  ],
  updatedAt: 920,
})

test('answers of chats that failed are among them, named by their question', () => {
  world.actors.conversations = conversations([failedChat('gpt-4o')])
  open({flux: [ended('a', 900), ended('b', 950)]})
  expect(prompts()).toEqual(['prompt b', 'Which prompt?', 'prompt a'])
})

test('a chat that failed can be opened, and its question asked again from there', async () => {
  const {actors, answers} = createChatActors({records: [failedChat('gpt-4o-all')]})
  await waitFor(actors.conversations, (snapshot) => snapshot.matches('success'))
  world.actors.conversations = actors.conversations
  open()
  const line = within(screen.getByRole('listitem'))
  await userEvent.click(line.getByRole('link', {name: 'Open'}))
  await eventually(() => expect(world.hrefs).toEqual(['/chatgpt/c']))
  await userEvent.click(line.getByRole('button', {name: 'Try again'}))
  await eventually(() => expect(answers).toHaveLength(1))
  expect(answers[0]?.input).toEqual({
    conversation: 'c',
    exchange: {
      question: '**Which** prompt?',
      key: 'key-1',
      model: 'gpt-4o-all',
      references: [],
      attempt: 1,
      lastSeq: 0,
      answer: '',
      reconnects: 0,
      at: expect.any(Number),
      message: 'key-1',
    },
    request: 'ask',
    model: 'gpt-4o-all',
    capabilities: [],
  })
})

test('the question of a model that nobody serves is not asked again: its chat opens and says so', async () => {
  const list = conversations([failedChat('gone')])
  world.actors.conversations = list
  const {provisioning} = createChatActors({served: [{name: 'gpt-4o-all', group: 'chatgpt', provider: 'openai'}]}).actors
  await waitFor(provisioning, (snapshot) => selectServedModels(snapshot).length > 0)
  world.actors['provisioning/chat'] = provisioning
  open()
  await userEvent.click(screen.getByRole('button', {name: 'Try again'}))
  await eventually(() => expect(world.hrefs).toEqual(['/chatgpt/c']))
  expect(list.getSnapshot().context.phases).toEqual({})
})

test('nothing at all is said', () => {
  open()
  expect(screen.queryByRole('list')).toBeNull()
})

test('its button shows a placeholder for it until its words are there', async () => {
  let arrive: () => void = () => undefined
  const prepareWords = vi.fn(() => new Promise<void>((resolve) => (arrive = resolve)))
  open({flux: [ended('a', 900)]}, {}, {prepareWords, view: <TaskTrayButton isSmall={false} />})
  // React drops a render that suspends in a synchronous act
  await act(async () => void fireEvent.click(screen.getByRole('button', {name: 'Tasks'})))
  const dialog = await screen.findByRole('dialog', {name: 'Tasks'})
  expect(prepareWords).toHaveBeenCalledExactlyOnceWith('media')
  expect([dialog.textContent, dialog.querySelectorAll('[aria-hidden="true"]').length > 0]).toEqual(['', true])
  await act(async () => arrive())
  expect(await within(dialog).findByText('prompt a')).toBeVisible()
})
