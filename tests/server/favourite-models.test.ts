import {afterAll, beforeAll, expect, test} from 'vitest'
import {mostFavourites} from '#domain/merge-favourites.ts'
import type {TestServer} from './harness.ts'
import {ask, createPlatform} from './platform.fixtures.ts'

let server: TestServer
beforeAll(async () => {
  server = await createPlatform()
})
afterAll(() => server.close())

const user = async () => {
  const {accessToken: token} = await server.createUser()
  const read = async () => (await ask(server, 'GET', '/favourite-models', {token})).body.marks
  const add = (marks: object) => ask(server, 'PUT', '/favourite-models', {token, body: {marks}})
  return {read, add}
}

test('presses of several devices come together in any order, and are the user’s own', async () => {
  const {read, add} = await user()
  expect(await read()).toEqual({})
  expect((await add({o3: 5, 'gpt-4o': 6})).body.marks).toEqual({o3: 5, 'gpt-4o': 6})
  // a device that was away says what it did before and after
  expect((await add({o3: 3, 'gpt-4o': -9, 'a/b': 1})).body.marks).toEqual({o3: 5, 'gpt-4o': -9, 'a/b': 1})
  expect(await read()).toEqual({o3: 5, 'gpt-4o': -9, 'a/b': 1})
  expect(await (await user()).read()).toEqual({})
})

test('devices that save at the same moment lose nothing of each other', async () => {
  const {read, add} = await user()
  const names = Array.from({length: 12}, (_, index) => `model-${index}`)
  await Promise.all(names.map((name, index) => add({[name]: index + 1})))
  expect(Object.keys(await read()).toSorted()).toEqual(names.toSorted())
})

test('what is no press is refused, and the newest of too many are kept', async () => {
  const {read, add} = await user()
  for (const marks of [{o3: 'now'}, {o3: 1.5}, {'': 1}, {['a'.repeat(201)]: 1}])
    expect((await add(marks)).status).toBe(400)
  const many = Object.fromEntries(Array.from({length: mostFavourites + 1}, (_, index) => [`model-${index}`, index + 1]))
  expect((await add(many)).status).toBe(200)
  const kept = await read()
  expect(Object.keys(kept)).toHaveLength(mostFavourites)
  expect(kept).not.toHaveProperty('model-0')
  const tooMany = Object.fromEntries(Array.from({length: 1_001}, (_, index) => [`other-${index}`, index + 1]))
  expect((await add(tooMany)).status).toBe(400)
})
