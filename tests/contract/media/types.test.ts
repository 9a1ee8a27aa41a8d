import {expect, test} from 'vitest'
import {defineScreen} from '#contract/media/media-screen.ts'
import {defineOperation, defineTool, type ToolIdentity} from '#contract/media/media-tool.ts'
import {z} from '#contract/schema.ts'

/* These lines do not compile: each would be an unused `@ts-expect-error` if it did. */

const identity = {
  id: 'foo',
  name: 'Foo',
  group: 'image',
  service: 'foo',
  serviceId: 'bar',
  order: 1,
  inputs: [],
} as const satisfies ToolIdentity
const form = z.object({
  prompt: z.string(),
  model: z.enum(['one', 'two']),
  count: z.number(),
  loop: z.boolean(),
  images: z.array(z.string()),
})
const empty = {actions: [], examples: [], results: 'grid'} as const

test('a wrong field or option of a screen is a compile error', () => {
  const screens = [
    // @ts-expect-error no such key
    defineScreen({form}, {...empty, fields: [{kind: 'prompt', key: 'promt', label: 'foo', most: 1}]}),
    defineScreen(
      {form},
      // @ts-expect-error a slider makes numbers
      {...empty, fields: [{kind: 'slider', key: 'prompt', label: 'foo', least: 0, most: 1, step: 1}]},
    ),
    // @ts-expect-error a switch makes booleans
    defineScreen({form}, {...empty, fields: [{kind: 'switch', key: 'count', label: 'foo'}]}),
    defineScreen(
      {form},
      // @ts-expect-error the form has no model three
      {...empty, fields: [{kind: 'select', key: 'model', label: 'foo', choices: [{value: 'three'}]}]},
    ),
    // @ts-expect-error no such kind
    defineScreen({form}, {...empty, fields: [{kind: 'dial', key: 'count', label: 'foo'}]}),
    // @ts-expect-error an example sets what the form has
    defineScreen({form}, {...empty, fields: [], examples: [{label: 'foo', set: {model: 'three'}}]}),
    defineScreen(
      {form},
      {
        ...empty,
        fields: [],
        // @ts-expect-error an action fills the form as it is
        actions: [{id: 'foo', label: 'foo', medium: 'image', fill: (_, values) => ({...values, count: 'many'})}],
      },
    ),
    defineScreen({form}, {...empty, fields: [{kind: 'select', key: 'model', label: 'foo', choices: [{value: 'two'}]}]}),
  ]
  expect(screens).toHaveLength(8)
})

test('a wrong group, plan or answer of a tool is a compile error', () => {
  // @ts-expect-error no such group
  const other = {...identity, group: 'games'} as const satisfies ToolIdentity
  const operation = defineOperation({
    path: '/foo/images',
    body: z.strictObject({prompt: z.string()}),
    // @ts-expect-error the body has no such key
    plan: ({promt}) => ({medium: 'image', prompt: String(promt), count: 1, aspectRatio: [1, 1], sources: []}),
    respond: () => ({}),
  })
  const tool = defineTool({
    identity,
    form,
    operations: {images: operation},
    settle: (values) => ({form: values, dropped: []}),
    faults: () => [],
    // @ts-expect-error the form has no such key
    submit: ({promt}) => ({operation: 'images', body: {prompt: promt as unknown}}),
    read: () => ({artifacts: []}),
    price: [],
  })
  expect([other.group, tool.identity.id]).toEqual(['games', 'foo'])
})
