import {expect, test} from 'vitest'
import {artifact, itemsIn, reading, textIn} from '#contract/media/media-answer.ts'
import {
  needs,
  noPrompt,
  faultsOf,
  field,
  priceElse,
  ratioOf,
  settled,
  text,
  textField,
} from '#contract/media/media-rules.ts'
import {defineScreen} from '#contract/media/media-screen.ts'
import {defineOperation, defineTool, type ToolIdentity} from '#contract/media/media-tool.ts'
import {z} from '#contract/schema.ts'
import {task as taskSchema} from '#contract/task.ts'
import {costOf} from '#domain/price-rules.ts'
import {taskStatus} from '#domain/task-status.ts'
import {usedValues, useTargets} from '#domain/use-in.ts'
import {made} from './all-tools.ts'

/*
 * A tool that nothing knows (docs/decisions/0010): its two files' worth of values go through everything that works on
 * tools. It answers in a shape of its own, over several requests.
 */

const identity = {
  id: 'sketch',
  name: 'Sketch',
  group: 'image',
  service: 'sketch-lab',
  serviceId: '00000000-0000-4000-8000-000000000014',
  order: 60,
  inputs: [{medium: 'image', field: 'base', label: 'base', most: 1, set: {kind: 'redraw'}}],
} as const satisfies ToolIdentity

export const tool = defineTool({
  identity,
  taskType: 'sketches',
  form: z.object({
    kind: field(z.enum(['draw', 'redraw']), 'draw'),
    prompt: textField(),
    base: textField(),
    paper: field(z.enum(['3:2', '2:3']), '3:2'),
  }),
  operations: {
    sketches: defineOperation({
      path: '/sketch-lab/sketches',
      taskType: 'sketches',
      body: z
        .strictObject({prompt: text(50), base: z.optional(z.string()), paper: z.enum(['3:2', '2:3'])})
        .check(needs('prompt', ({prompt}) => prompt !== '')),
      plan: ({prompt, paper, base}) => ({
        medium: 'image',
        prompt,
        count: 2,
        aspectRatio: ratioOf(paper, [3, 2]),
        sources: base === undefined ? [] : [base],
      }),
      respond: (sketches, _body, progress) => ({
        progress,
        data: sketches.map(({id, url}) => ({sheet: id, file: url})),
      }),
    }),
  },
  settle: settled,
  faults: ({prompt}) => faultsOf(noPrompt(prompt)),
  submit: ({prompt, base, paper, kind}) => ({
    operation: 'sketches',
    body: {prompt, paper, ...(kind === 'redraw' ? {base} : {})},
  }),
  read: (answer) =>
    reading(
      itemsIn(answer).map((item) => artifact({medium: 'image', id: textIn(item, 'sheet'), url: textIn(item, 'file')})),
      {progress: Number(answer.progress)},
    ),
  price: [priceElse(0.75)],
})

export const screen = defineScreen(tool, {
  results: 'grid',
  fields: [
    {kind: 'prompt', key: 'prompt', label: 'common.mediaPrompt', most: 50},
    {kind: 'ratio', key: 'paper', label: 'paper', choices: [{value: '3:2'}, {value: '2:3'}]},
  ],
  actions: [],
  examples: [],
})

test('form → request → plan → answer → reading → status', () => {
  const base = {medium: 'image', url: 'https://files.test/base.png'} as const
  const [target] = useTargets([identity], base)
  expect(target).toMatchObject({kind: 'tool', tool: 'sketch', value: base.url})
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
