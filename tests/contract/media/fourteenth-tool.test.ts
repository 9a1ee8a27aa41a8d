import {expect, test} from 'vitest'
import {z} from '#contract/schema.ts'
import {task as taskSchema} from '#contract/task.ts'
import {costOf} from '#domain/price-rules.ts'
import {taskStatus} from '#domain/task-status.ts'
import {usedValues, targetsOf} from '#domain/use-targets.ts'
import {made} from './all-tools.ts'
import {identity, tool} from './sketch.ts'

/*
 * A tool that nothing knows goes through everything that works on tools (its screen: tests/features/media).
 */

test('form → request → plan → answer → reading → status', () => {
  const base = {medium: 'image', url: 'https://files.test/base.png'} as const
  const [target] = targetsOf([identity], [], base)
  expect(target).toEqual({
    kind: 'tool',
    tool: 'sketch',
    value: base.url,
    input: {medium: 'image', field: 'base', label: 'base', most: 1, set: {kind: 'redraw'}},
  })
  const filled = usedValues({}, identity.inputs[0], base.url)
  const {form} = tool.settle(z.parse(tool.form, {...filled, prompt: 'harbour', paper: '2:3'}))
  expect(tool.faults(form)).toEqual([])

  const {operation: name, body} = tool.submit(form)
  expect(body).toEqual({prompt: 'harbour', base: base.url, paper: '2:3'})
  expect(costOf(tool.price, body)).toBe(0.75)

  const {sketches} = tool.operations
  expect(name).toBe('sketches')
  const parsed = z.parse(sketches.body, body)
  const plan = sketches.plan(parsed)
  expect(plan).toEqual({medium: 'image', prompt: 'harbour', count: 2, aspectRatio: [2, 3], sources: [base.url]})

  const statusOf = (response: Record<string, unknown>) =>
    taskStatus(z.parse(taskSchema, {id: 'foo', created_at: 1, request: body, response}), tool.read(response, body))
  const things = [made('image', 1), made('image', 2)]
  expect(statusOf(sketches.respond([], parsed, 0))).toBe('running')
  expect(statusOf({success: true, ...sketches.respond(things.slice(0, 1), parsed, 50)})).toBe('running')
  const done = {success: true, ...sketches.respond(things, parsed, 100)}
  expect(statusOf(done)).toBe('succeeded')
  expect(tool.read(done, body).artifacts.map(({url}) => url)).toEqual(things.map(({url}) => url))
})
