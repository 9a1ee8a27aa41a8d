import {expect, test} from 'vitest'
import {createActor} from 'xstate'
import {tool} from '#contract/media/midjourney.ts'
import type {MediaTool} from '#contract/media/media-tool.ts'
import type {Task} from '#contract/task.ts'
import {z} from '#contract/schema.ts'
import {toTaskRecord} from '#app/logic/media/task-records.ts'
import {selectPending} from '#machines/task-requests/task-requests.selectors.ts'
import {endedOf, trayOf} from '#machines/tasks/tasks.rules.ts'
import {startEnvironment} from './environment-fixture.ts'
import {listParts} from '#machines/task-list/list-parts.ts'
import {taskListMachine} from '#machines/task-list/task-list.machine.ts'

// as: the exact form of midjourney is forgotten, as the client forgets it
const midjourney = tool as unknown as MediaTool
const form = z.parse(midjourney.form, {
  prompt: 'a boat',
  ratio: '16:9',
  references: ['https://files.test/a.png'],
})
const {body} = midjourney.submit(form)

/** What the tray tells of these, and of a request that has no task yet. */
function told({tasks = [], request}: {tasks?: Task[]; request?: Record<string, unknown>}) {
  const list = createActor(taskListMachine, {
    input: {
      userId: 'u-1',
      ref: {tool: 'midjourney', service: 'midjourney', serviceId: 's-1'},
      environment: startEnvironment(),
    },
  }).start()
  list.send({type: 'tasks.polled', records: tasks.map((task) => toTaskRecord(midjourney, task))})
  if (request !== undefined) {
    const submission = {operation: 'imagine', body: request}
    listParts(list).requests.send({
      type: 'task.submit',
      intent: {key: 'k', tool: 'midjourney', submission, at: 100, form},
    })
  }
  const snapshot = list.getSnapshot()
  const {context} = snapshot
  const shown = [...trayOf(context, {pending: selectPending(snapshot), keys: {}, isLost: false}), ...endedOf(context)]
  list.stop()
  return shown.map(({prompt}) => prompt)
}

test('what is sent has the words among references and flags', () => {
  expect(body.prompt).toMatch(/^https:\/\/files\.test\/a\.png a boat.* --/)
})

test('a task is told by the words of the user, while it runs and when it ended', () => {
  const running: Task = {id: 'a', type: 'imagine', created_at: 100, request: body}
  const done = {...running, id: 'b', finished_at: 109, response: {success: true, image_url: 'https://cdn.test/b.png'}}
  expect(told({tasks: [running, done]})).toEqual(['a boat', 'a boat'])
})

test('so is a request without a task; one that sends no words has none of its form', () => {
  expect(told({request: body})).toEqual(['a boat'])
  expect(told({request: {action: 'upscale1', image_id: 'foo'}})).toEqual([''])
  expect(told({request: {prompt: 'another boat --ar 1:1'}})).toEqual(['another boat --ar 1:1'])
})
