import {artifact, itemsIn, reading, textIn} from '#contract/media/media-answer.ts'
import {
  faultsOf,
  field,
  needs,
  noPrompt,
  priceElse,
  ratioOf,
  settled,
  text,
  textField,
} from '#contract/media/media-rules.ts'
import {defineOperation, defineTool, type ToolExample, type ToolIdentity} from '#contract/media/media-tool.ts'
import {z} from '#contract/schema.ts'

/*
 * A tool that nothing knows (docs/decisions/0010): this file, `sketch.screen.ts`, its words in `sketch.locales.json`
 * and its mark in `sketch.mark.ts` are all there is of it. It answers in a shape of its own, over several requests.
 */

export const identity = {
  id: 'sketch',
  name: 'Sketch',
  group: 'image',
  service: 'sketch-lab',
  serviceId: '00000000-0000-4000-8000-000000000014',
  order: 60,
  inputs: [{medium: 'image', field: 'base', label: 'base', most: 1, set: {kind: 'redraw'}}],
} as const satisfies ToolIdentity

export const example = {
  path: '/sketch-lab/sketches',
  body: {prompt: 'A lighthouse at dawn'},
} as const satisfies ToolExample

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
