import {describe, expect, test} from 'vitest'
import type {ToolRequest} from '#contract/media/media-tool.ts'
import {z} from '#contract/schema.ts'
import {sameAgain} from '#features/media/repeated-request.ts'
import {all, made, toolNamed} from '#tests/contract/media/all-tools.ts'
import {sent} from '#tests/contract/media/submit-cases.ts'

/* Whatever our client sends is found again as the operation that it was: by its form, an action or a writer. */

const subjectOf = (medium: Parameters<typeof made>[0]) => {
  const artifact = made(medium)
  return {artifact, index: 0, reading: {artifacts: [artifact]}, request: {}}
}

const written = all.flatMap(({id, tool, screen}) => {
  const form = z.parse(tool.form, {})
  return [
    ...screen.fields.flatMap(({write}) => (write === undefined ? [] : [write('snow', form)])),
    ...screen.actions.flatMap(({medium, send}) => (send === undefined ? [] : [send(subjectOf(medium), form)])),
  ].map((submission): [string, ToolRequest] => [id, submission])
})
const requests = [...sent.map(([id, , operation, body]): [string, ToolRequest] => [id, {operation, body}]), ...written]

test('every tool and every operation that a screen uses is among them', () => {
  expect([...new Set(requests.map(([id]) => id))].sort()).toEqual(all.map(({id}) => id))
  const uses = new Set(requests.map(([id, {operation}]) => `${id} ${operation}`))
  const has = all.flatMap(({id, tool}) => Object.keys(tool.operations).map((name) => `${id} ${name}`))
  expect(has.filter((name) => !uses.has(name))).toEqual([])
})

describe.each(requests)('%s %j', (id, {operation, body}) => {
  const {tool} = toolNamed(id)
  const found = tool.operations[operation]
  const type = found?.taskType

  test('as it was sent', () => {
    expect(sameAgain(tool, {request: body, type})).toEqual({operation, body})
  })

  test('as a server tells it, with what it adds and fills in', () => {
    // as: a body is an object
    const filled = z.parse(found?.body ?? z.never(), body) as Record<string, unknown>
    const request = {...filled, callback_url: 'https://hooks.test', async: true, unset: null}
    expect(sameAgain(tool, {request, type})).toEqual({operation, body: filled})
  })
})

test('nothing is guessed: a request that makes two kinds of tasks of one type is not sent again', () => {
  const {tool} = toolNamed('suno')
  expect(sameAgain(tool, {request: {prompt: 'snow'}, type: 'audios'})).toBeUndefined()
  expect(sameAgain(tool, {request: {unknown: true}, type: 'audios'})).toBeUndefined()
})
