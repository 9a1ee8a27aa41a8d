import {expect, test} from 'vitest'
import {z} from '#contract/schema.ts'
import {all, toolNamed} from './all-tools.ts'
import {sent} from './submit-cases.ts'

/* A form sends only fields of the API (contract/media §1.3), and a task's settings send the same again. */

type Form = Record<string, unknown>
const formOf = (id: string, values: Form) => {
  const {tool} = toolNamed(id)
  return tool.settle(z.parse(tool.form, values)).form
}
test.each(sent)('%s %o', (id, values, operation, body) => {
  const {tool} = toolNamed(id)
  const form = formOf(id, values)
  expect(tool.faults(form)).toEqual([])
  expect(tool.submit(form)).toEqual({operation, body})
  expect(z.safeParse(tool.operations[operation]?.body ?? z.never(), body).error).toBeUndefined()
})

test.each(all)('$id: settings of a task fill the form again and send the same', ({id, tool}) => {
  for (const [, values, operation, body] of sent.filter(([name]) => name === id)) {
    if (operation === 'upload') continue // its address was used up by the upload
    const request = {...body, callback_url: 'https://hooks.test', async: true, unset: null}
    const again = tool.settle(
      z.parse(tool.form, tool.reuse?.(request, tool.operations[operation]?.taskType) ?? request),
    ).form
    expect({values, ...tool.submit(again)}).toEqual({values, operation, body: {...body, ...defaultsSent(id, body)}})
  }
})

/** A setting that was cleared comes back as the default the server took. */
const defaultsSent = (id: string, body: Form): Form =>
  id === 'kling' && !('mode' in body)
    ? {mode: 'std'}
    : ['veo', 'sora'].includes(id) && !('action' in body)
      ? {action: 'text2video'}
      : id === 'hailuo' && !('model' in body)
        ? {model: 'minimax-t2v'}
        : {}
