import {afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test} from 'vitest'
import {chatServiceId} from '#contract/chat.ts'
import {service as serviceSchema} from '#contract/management.ts'
import {z} from '#contract/schema.ts'
import type {TestServer, TestUser} from './harness.ts'
import {ask, catalogue, createPlatform} from './platform.fixtures.ts'

let server: TestServer
let operator: TestUser
let member: TestUser
beforeAll(async () => {
  server = await createPlatform()
  operator = await server.createUser()
})
beforeEach(async () => {
  member = await server.createUser()
})
afterAll(() => server.close())

const asOperator = (method: string, path: string, body?: object) =>
  ask(server, method, path, {token: operator.accessToken, body})
const asMember = (method: string, path: string, body?: object) =>
  ask(server, method, path, {token: member.accessToken, body})

describe('services', () => {
  test('chat is there from the start and names the models that answer now', async () => {
    const {body} = await asMember('GET', `/services/${chatServiceId}`)
    expect(body).toEqual({
      id: chatServiceId,
      title: 'AI Chat',
      unit: 'Credit',
      applied: false,
      metadata: {models: await catalogue.models(), capabilities: ['resume', 'stop'], sandbox: true},
      price: 0,
      description: 'Conversations with the language models this installation serves.',
      free_amount: 0,
      tags: ['chat'],
      created_at: expect.any(String),
      updated_at: expect.any(String),
      packages: [],
    })
    expect(z.safeParse(serviceSchema, body).success).toBe(true)
  })

  test('only operators write them', async () => {
    for (const [method, path] of [
      ['POST', '/services/'],
      ['PUT', `/services/${chatServiceId}`],
      ['DELETE', `/services/${chatServiceId}`],
    ] as const) {
      const {status, body} = await asMember(method, path, method === 'DELETE' ? undefined : {title: 'foo'})
      expect([method, status, body.code]).toEqual([method, 403, 'forbidden'])
    }
  })

  test('an operator creates, changes with the whole object, and deletes', async () => {
    const made = await asOperator('POST', '/services/', {
      title: 'foo',
      price: 1.25,
      free_amount: 0.5,
      metadata: {price: []},
      tags: ['video'],
    })
    expect([made.status, made.body.price, made.body.free_amount]).toEqual([201, 1.25, 0.5])
    const {body: read} = await asOperator('GET', `/services/${made.body.id}`)
    const changed = await asOperator('PUT', `/services/${read.id}`, {...read, title: 'bar'})
    expect(changed.body).toEqual({
      title: 'bar',
      price: 1.25,
      tags: ['video'],
      id: expect.any(String),
      unit: 'Credit',
      free_amount: 0.5,
      metadata: {price: []},
      created_at: expect.any(String),
      updated_at: expect.any(String),
      applied: false,
      packages: [],
    })
    expect((await asOperator('PUT', `/services/${read.id}`, {...read, id: chatServiceId})).body.field).toBe('id')
    expect((await asOperator('DELETE', `/services/${read.id}`)).status).toBe(204)
    expect((await asOperator('GET', `/services/${read.id}`)).status).toBe(404)
    expect((await asOperator('PUT', `/services/${read.id}`, {title: 'foo'})).status).toBe(404)
  })

  test('chat may be renamed, its served facts are never stored, and it stays', async () => {
    const {body: read} = await asOperator('GET', `/services/${chatServiceId}`)
    onTestFinished(async () => {
      await asOperator('PUT', `/services/${chatServiceId}`, {title: read.title})
    })
    const changed = await asOperator('PUT', `/services/${chatServiceId}`, {
      ...read,
      title: 'Talk',
      metadata: {...read.metadata, models: [], sandbox: false},
    })
    expect(changed.body).toMatchObject({title: 'Talk', metadata: {models: await catalogue.models(), sandbox: true}})
    expect((await asOperator('DELETE', `/services/${chatServiceId}`)).status).toBe(409)
  })

  test('one that applications use is not deleted', async () => {
    const {body: made} = await asOperator('POST', '/services/', {title: 'used'})
    await asMember('POST', '/applications/', {service_id: made.id})
    expect((await asMember('GET', `/services/${made.id}`)).body.applied).toBe(true)
    expect((await asOperator('GET', `/services/${made.id}`)).body.applied).toBe(false)
    expect((await asOperator('DELETE', `/services/${made.id}`)).status).toBe(409)
  })

  test('lists filter by repeated ids, page and order', async () => {
    const first = (await asOperator('POST', '/services/', {title: 'a first'})).body
    const second = (await asOperator('POST', '/services/', {title: 'b second'})).body
    const list = async (query: string) => (await asMember('GET', `/services/${query}`)).body
    const both = await list(`?id=${first.id}&id=${second.id}&id=foo&ordering=-title`)
    expect(both.count).toBe(2)
    expect(both.items.map((item: {title: string}) => item.title)).toEqual(['b second', 'a first'])
    expect((await list(`?id=${first.id}`)).items).toHaveLength(1)
    expect(await list('?id=foo')).toEqual({count: 0, items: []})
    const page = await list(`?id=${first.id}&id=${second.id}&ordering=title&limit=1&offset=1`)
    expect([page.count, page.items[0].title]).toEqual([2, 'b second'])
  })

  test.each([
    'limit=0',
    'limit=101',
    'limit=foo',
    'offset=-1',
    'offset=1000001',
    'ordering=secret',
    'ordering=title;drop',
    'foo=bar',
  ])('refuses ?%s by name', async (query) => {
    const {status, body} = await asMember('GET', `/services/?${query}`)
    expect([status, body.code, body.field]).toEqual([400, 'bad_request', query.split('=')[0]])
  })

  test.each(['foo', '00000000-0000-4000-8000-000000000000', '%00', "'; drop table services; --"])(
    '%s is no service',
    async (id) => {
      const {status} = await asMember('GET', `/services/${encodeURIComponent(id)}`)
      expect(status).toBe(404)
    },
  )

  test.each([
    ['title', ''],
    ['price', -1],
    ['thumbnail', 'https://foreign.example/a.png'],
    ['owner', 'foo'],
  ])('refuses %s %j', async (key, value) => {
    const {status, body} = await asOperator('POST', '/services/', {title: 'foo', [key]: value})
    expect([status, body.field]).toEqual([400, key])
  })
})

describe('exchange rate', () => {
  const rate = (source: string, target: string) => ask(server, 'POST', '/exchange-rate', {body: {source, target}})

  test.each(['cny', 'eur', 'krw', 'jpy', 'rub', 'pln', 'sek', 'uah', 'sar', 'rsd', 'gbp'])(
    'has usd to %s',
    async (target) => {
      const {status, body} = await rate('usd', target)
      expect(status).toBe(200)
      expect(body).toEqual({source: 'usd', target, rate: expect.any(Number), date: '2026-01-02'})
      expect(body.rate).toBeGreaterThan(0)
      expect(body.rate).not.toBe(1)
      expect(body.date).toMatch(/^\d{4}-\d\d-\d\d$/)
    },
  )

  test('crosses any two currencies; a currency with itself is 1', async () => {
    const [there, back] = [await rate('eur', 'jpy'), await rate('jpy', 'eur')]
    expect(there.body.rate * back.body.rate).toBeCloseTo(1, 6)
    expect((await rate('eur', 'eur')).body.rate).toBe(1)
  })

  test.each([
    ['usd', 'xxx', 404, 'target'],
    ['xxx', 'usd', 404, 'source'],
    ['usd', 'toString', 400, 'target'],
    ['usd', 'USD', 400, 'target'],
  ])('%s to %s is refused, never a silent 1', async (source, target, status, field) => {
    const {body, ...answer} = await rate(source, target)
    expect([answer.status, body.field]).toEqual([status, field])
    expect(body).not.toHaveProperty('rate')
  })
})
