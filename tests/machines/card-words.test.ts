import {expect, onTestFinished, test} from 'vitest'
import {createActor} from 'xstate'
import {tool} from '#contract/media/midjourney.ts'
import type {MediaTool} from '#contract/media/media-tool.ts'
import type {Task} from '#contract/task.ts'
import {z} from '#contract/schema.ts'
import {toTaskRecord} from '#app/logic/media/task-records.ts'
import {selectCards} from '#machines/task-list/task-list.selectors.ts'
import {startEnvironment} from './environment-fixture.ts'
import {nobody} from './nobody.ts'
import {listParts} from '#machines/task-list/list-parts.ts'
import {taskListMachine} from '#machines/task-list/task-list.machine.ts'

// as: the exact form of midjourney is forgotten, as the client forgets it
// as: a tool of any form, as the loader of tools gives it
const midjourney = tool as unknown as MediaTool
const form = z.parse(midjourney.form, {
  prompt: 'a boat',
  ratio: '16:9',
  references: ['https://files.test/a.png'],
})
const {body} = midjourney.submit(form)

type Given = {tasks?: Task[]; request?: Record<string, unknown>}

/** The list with these tasks and a request that has no task yet. */
function startList({tasks = [], request}: Given) {
  const list = createActor(taskListMachine, {
    input: {
      userId: 'u-1',
      ref: {tool: 'midjourney', service: 'midjourney', serviceId: 's-1'},
      environment: startEnvironment(),
      parentRef: nobody,
      session: nobody,
    },
  }).start()
  onTestFinished(() => void list.stop())
  list.send({type: 'tasks.polled', records: tasks.map((task) => toTaskRecord(midjourney, task))})
  if (request !== undefined) {
    const submission = {operation: 'imagine', body: request}
    listParts(list).requests.send({
      type: 'task.submit',
      intent: {key: 'k', tool: 'midjourney', submission, at: 100, form},
    })
  }
  return list
}
const cardsOf = (given: Given) => selectCards(startList(given).getSnapshot())
const wordsOf = (given: Given) => cardsOf(given).map(({prompt}) => prompt)

test('what is sent has the words among references and flags', () => {
  expect(body.prompt).toMatch(/^https:\/\/files\.test\/a\.png a boat.* --/)
})

test('a task goes by the words of the user, while it runs and when it ended', () => {
  const running: Task = {id: 'a', type: 'imagine', created_at: 100, request: body}
  const done = {...running, id: 'b', finished_at: 109, response: {success: true, image_url: 'https://cdn.test/b.png'}}
  expect(wordsOf({tasks: [running, done]})).toEqual(['a boat', 'a boat'])
})

test('a request without a task goes by the words of the user; one that sends no words has none of its form', () => {
  expect(wordsOf({request: body})).toEqual(['a boat'])
  expect(wordsOf({request: {action: 'upscale1', image_id: 'foo'}})).toEqual([''])
  expect(wordsOf({request: {prompt: 'another boat --ar 1:1'}})).toEqual(['another boat --ar 1:1'])
})

test('what is sent again is what was sent', () => {
  const task: Task = {id: 'a', type: 'imagine', created_at: 99, request: body}
  expect(cardsOf({tasks: [task], request: body}).map(({tool: id, request}) => [id, request.prompt])).toEqual([
    ['midjourney', body.prompt],
    ['midjourney', body.prompt],
  ])
})

test('an action of a result goes by the words of that result, and so does one of what it made', () => {
  const made = (id: string, request: Record<string, unknown>, result: string): Task => ({
    id,
    type: 'imagine',
    created_at: Number(id),
    finished_at: 9,
    request,
    response: {success: true, image_id: result, image_url: `https://cdn.test/${result}.png`},
  })
  const list = startList({
    tasks: [
      made('1', body, 'i-1'),
      made('2', {action: 'variation2', image_id: 'i-1'}, 'i-2'),
      made('3', {action: 'upscale1', image_id: 'i-2'}, 'i-3'),
      made('4', {action: 'upscale1', image_id: 'i-0'}, 'i-4'),
    ],
  })
  const cards = selectCards(list.getSnapshot())
  expect(cards.map(({prompt}) => prompt)).toEqual(['', 'a boat', 'a boat', 'a boat'])
  // a card that stayed as it was is not drawn again
  list.send({type: 'task.select', id: '1'})
  expect(selectCards(list.getSnapshot())).toBe(cards)
})
