import {examples} from 'virtual:media-tool-examples'
import {describe, expect, test} from 'vitest'
import {chatRequest} from '#contract/chat-requests.ts'
import type {MediaTool} from '#contract/media/media-tool.ts'
import {z} from '#contract/schema.ts'
import {snippetLanguages, snippetOf, type SnippetCall} from '#domain/api-snippets.ts'

const base = 'https://api.example'
const tools = Object.values(
  import.meta.glob<{tool?: MediaTool}>(
    ['../../src/contract/media/*.ts', '!../../src/contract/media/*.screen.ts', '!../../src/contract/media/media-*.ts'],
    {eager: true},
  ),
).flatMap(({tool}) => tool ?? [])
const calls: SnippetCall[] = [
  {kind: 'chat', model: 'foo'},
  ...examples.map(({service, path, body}): SnippetCall => ({kind: 'task', service, path, body})),
]

test('every tool has an example', () => {
  expect(examples.map(({id}) => id).sort()).toEqual(tools.map(({identity}) => identity.id).sort())
})

test.each(examples)('the example of $id is a call that its tool takes', ({id, path, body, ownFile}) => {
  const tool = tools.find(({identity}) => identity.id === id)
  const operations = Object.values(tool?.operations ?? {}).filter((one) => one.path === path)
  expect(operations.map((one) => z.safeParse(one.body, body).error)).toEqual([undefined])
  expect(JSON.stringify(body).includes('https://example.com/portrait')).toBe(ownFile !== undefined)
})

test('the example of a question is one that the server takes', () => {
  const snippet = snippetOf({language: 'curl', base, call: {kind: 'chat', model: 'foo'}})
  const body = /-d '(.*)'/.exec(snippet)?.[1] ?? ''
  expect(z.safeParse(chatRequest, JSON.parse(body)).data).toEqual({
    model: 'foo',
    question: 'What is the colour of the sea?',
  })
})

test('each program reads the key from its environment', () => {
  const snippets = snippetLanguages.flatMap((language) => calls.map((call) => snippetOf({language, base, call})))
  expect(snippets.filter((snippet) => !snippet.includes('ATRIUM_API_KEY') || snippet.includes('sk-'))).toEqual([])
})

test('a program asks for its task by its service', () => {
  const call: SnippetCall = {kind: 'task', service: 'nano-banana', path: '/nano-banana/images', body: {prompt: 'foo'}}
  for (const language of snippetLanguages) {
    expect(snippetOf({language, base, call})).toContain('/nano-banana/tasks')
    expect(snippetOf({language, base, call})).toContain('/nano-banana/images')
  }
})

describe('values in a program', () => {
  const all = (call: SnippetCall) => snippetLanguages.map((language) => snippetOf({language, base, call}))

  test('a quote in the name of a model ends no text', () => {
    const [curl, typescript, python] = all({kind: 'chat', model: `foo's "bar" \\`})
    expect(curl).toContain(`"model":"foo'\\''s \\"bar\\" \\\\"`)
    expect(typescript).toContain(`model: 'foo\\'s "bar" \\\\'`)
    expect(python).toContain(`"model": "foo's \\"bar\\" \\\\"`)
  })

  test('lists, numbers and booleans are literals of each language', () => {
    const [curl, typescript, python] = all({kind: 'task', service: 'foo', path: '/foo', body: {a: [`b's`], n: 5}})
    expect(curl).toContain(`{"a":["b'\\''s"],"n":5,"async":true}`)
    expect(typescript).toContain(`{a: ['b\\'s'], n: 5, async: true}`)
    expect(python).toContain(`{"a": ["b's"], "n": 5, "async": True}`)
  })
})
