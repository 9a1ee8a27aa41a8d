import {randomUUID} from 'node:crypto'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {promptBounds} from '#contract/prompts.ts'
import type {TestServer} from './harness.ts'
import {ask, createPlatform} from './platform.fixtures.ts'

let server: TestServer
beforeAll(async () => {
  server = await createPlatform()
})
afterAll(() => server.close())

const user = async () => {
  const {accessToken: token} = await server.createUser()
  return (method: string, path: string, body?: object) => ask(server, method, path, {token, ...(body && {body})})
}

test('a prompt is saved once under its id, changed, listed by name and removed', async () => {
  const call = await user()
  const [first, second] = [randomUUID(), randomUUID()]
  const saved = await call('PUT', `/prompts/${first}`, {name: ' translate ', text: 'Into {{language}}: '})
  expect([saved.status, saved.body]).toEqual([200, {id: first, name: 'translate', text: 'Into {{language}}: '}])
  await call('PUT', `/prompts/${first}`, {name: 'translate', text: 'Into {{language}}: '})
  await call('PUT', `/prompts/${second}`, {name: 'explain', text: 'foo'})
  await call('PUT', `/prompts/${second}`, {name: 'explain', text: 'bar'})
  expect((await call('GET', '/prompts/')).body).toEqual({
    count: 2,
    items: [
      {id: second, name: 'explain', text: 'bar'},
      {id: first, name: 'translate', text: 'Into {{language}}: '},
    ],
  })
  expect((await call('DELETE', `/prompts/${first}`)).status).toBe(204)
  expect((await call('DELETE', `/prompts/${first}`)).status).toBe(404)
  expect((await call('GET', '/prompts/')).body.count).toBe(1)
})

test('an empty name or text, and one prompt too many, are refused by name', async () => {
  const call = await user()
  const empty = await call('PUT', `/prompts/${randomUUID()}`, {name: ' ', text: 'foo'})
  expect([empty.status, empty.body.field]).toEqual([400, 'name'])
  const ids = Array.from({length: promptBounds.most}, () => randomUUID())
  for (const id of ids) await call('PUT', `/prompts/${id}`, {name: 'foo', text: 'bar'})
  const tooMany = await call('PUT', `/prompts/${randomUUID()}`, {name: 'foo', text: 'bar'})
  expect([tooMany.status, tooMany.body.code]).toEqual([409, 'conflict'])
  expect((await call('PUT', `/prompts/${ids[0]}`, {name: 'other', text: 'bar'})).status).toBe(200)
})

test('instructions are one text of a user, empty at first, changed and taken away', async () => {
  const call = await user()
  expect((await call('GET', '/instructions')).body).toEqual({text: ''})
  expect((await call('PUT', '/instructions', {text: ' Be brief. '})).body).toEqual({text: 'Be brief.'})
  expect((await call('GET', '/instructions')).body).toEqual({text: 'Be brief.'})
  for (const text of ['Be kind.', '']) {
    expect((await call('PUT', '/instructions', {text})).body).toEqual({text})
    expect((await call('GET', '/instructions')).body).toEqual({text})
  }
  const tooLong = await call('PUT', '/instructions', {text: 'a'.repeat(promptBounds.instructions + 1)})
  expect([tooLong.status, tooLong.body.field]).toEqual([400, 'text'])
  expect((await (await user())('GET', '/instructions')).body).toEqual({text: ''})
})
