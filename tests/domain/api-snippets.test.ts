import {expect, test} from 'vitest'
import {chatRequest} from '#contract/chat-requests.ts'
import {tool as flux} from '#contract/media/flux.ts'
import {tool as sora} from '#contract/media/sora.ts'
import {tool as suno} from '#contract/media/suno.ts'
import {z} from '#contract/schema.ts'
import {snippetLanguages, snippetOf, snippetOperations, taskCalls} from '#domain/api-snippets.ts'

const base = 'https://api.example'

test.each([
  ['image', flux, flux.operations.images],
  ['video', sora, sora.operations.videos],
  ['song', suno, suno.operations.audios],
] as const)('the example of %s is a call that its tool takes', (id, tool, operation) => {
  const {path, tasks, body} = taskCalls[id]
  const {async: isAsync, ...own} = body
  expect([path, tasks, isAsync]).toEqual([operation.path, `/${tool.identity.service}/tasks`, true])
  expect(z.safeParse(operation.body, own).success).toBe(true)
  expect(snippetOperations.find((one) => one.id === id)?.serviceId).toBe(tool.identity.serviceId)
})

test('the example of a question is one that the server takes', () => {
  const snippet = snippetOf({language: 'curl', operation: 'chat', base, model: 'foo'})
  const body = /-d '(.*)'/.exec(snippet)?.[1] ?? ''
  expect(z.safeParse(chatRequest, JSON.parse(body)).data).toEqual({
    model: 'foo',
    question: 'What is the colour of the sea?',
  })
})

test('each program reads the key from its environment', () => {
  const snippets = snippetLanguages.flatMap((language) =>
    snippetOperations.map(({id}) => snippetOf({language, operation: id, base, model: 'foo'})),
  )
  expect(snippets.filter((snippet) => !snippet.includes('ATRIUM_API_KEY') || snippet.includes('sk-'))).toEqual([])
})

test('a quote in the name of a model ends no text', () => {
  const model = `foo's "bar" \\`
  const [curl, typescript, python] = snippetLanguages.map((language) =>
    snippetOf({language, operation: 'chat', base, model}),
  )
  expect(curl).toContain(`"model":"foo'\\''s \\"bar\\" \\\\"`)
  expect(typescript).toContain(`model: 'foo\\'s "bar" \\\\'`)
  expect(python).toContain(`"model": "foo's \\"bar\\" \\\\"`)
})
