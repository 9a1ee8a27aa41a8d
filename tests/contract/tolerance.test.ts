import {describe, expect, test} from 'vitest'
import {createChatApi} from '#api/chat.ts'
import {createWholeManagement} from '#tests/api/whole-management.ts'
import {createOAuthApi} from '#api/oauth.ts'

/*
 * Other implementations of the specified API answer with more keys than ours, with fewer, and with other forms of the
 * same.
 */

/** Clients whose server answers everything with this JSON. `left` is what they log that they left out. */
const clientsOf = (answer: unknown) => {
  const left: unknown[] = []
  const deps = {
    baseUrl: 'https://api.test',
    fetch: () => Promise.resolve(Response.json(answer)),
    headers: () => ({authorization: 'Bearer foo'}),
    log: (_: string, details?: Record<string, unknown>) => void left.push(details?.left),
  }
  return {
    left,
    management: createWholeManagement({...deps, onUnauthorized: () => undefined}),
    oauth: createOAuthApi(deps),
    chat: createChatApi(deps),
  }
}

describe('management', () => {
  test('drops unknown keys and takes null for what is not there', async () => {
    const application = {
      id: 'foo',
      type: 'Usage',
      scope: 'Global',
      service: null,
      service_id: null,
      remaining_amount: '9.500000',
      credentials: [{id: 'bar', host: null, token: 'baz', mystery: 1}],
      mystery: {deep: true},
    }
    const {management} = clientsOf({count: 1, items: [application], next: null})
    expect(await management.applications.list({})).toEqual({
      count: 1,
      items: [
        {
          id: 'foo',
          type: 'Usage',
          scope: 'Global',
          service: null,
          service_id: null,
          remaining_amount: 9.5,
          credentials: [{id: 'bar', host: null, token: 'baz'}],
        },
      ],
    })
  })

  test('an object with nothing but an id is enough', async () => {
    const {management} = clientsOf({id: '7'})
    expect(await management.users.me()).toEqual({id: '7'})
    expect(await management.services.get('7')).toEqual({id: '7'})
    expect(await management.credentials.create({application_id: crypto.randomUUID()})).toEqual({id: '7'})
  })

  test('keeps what it does not know where it is written back whole', async () => {
    const {management} = clientsOf({
      id: '7',
      origin: 'https://foo.test',
      features: {support: {enabled: true, discord: {url: 'bar'}}},
      metadata: {theirs: 1},
    })
    expect(await management.sites.get('7')).toEqual({
      features: {support: {discord: {url: 'bar'}, enabled: true}},
      metadata: {theirs: 1},
      id: '7',
      origin: 'https://foo.test',
    })
  })

  const model = {name: 'foo', group: 'chatgpt', provider: 'bar'}
  test.each([
    ['capabilities null', {metadata: {capabilities: null, sandbox: true}}, {metadata: {sandbox: true}}],
    ['models null', {metadata: {models: null}}, {metadata: {}}],
    ['models as an object', {metadata: {models: {foo: 'bar'}}}, {metadata: {}}],
    ['sandbox as text', {metadata: {sandbox: 'yes', theirs: 1}}, {metadata: {theirs: 1}}],
    ['metadata as a list', {metadata: ['foo'], title: 'Foo'}, {title: 'Foo'}],
    ['a price in words', {price: 'ask us'}, {}],
    [
      'models of other forms between ours',
      {metadata: {models: [{group: 'foo'}, model, 'bar', {...model, group: 'claude'}, {...model, local: 'no'}]}},
      {metadata: {models: [model, model]}},
    ],
  ])('a service with %s is one without it', async (_, theirs, ours) => {
    const one = clientsOf({id: '7', ...theirs})
    expect(await one.management.services.get('7')).toEqual({id: '7', ...ours})
    expect(one.left).toHaveLength(1)
    const {management} = clientsOf({count: 2, items: [{id: '6'}, {id: '7', ...theirs}]})
    expect(await management.services.list({})).toEqual({count: 2, items: [{id: '6'}, {id: '7', ...ours}]})
  })

  test('a service without an id costs itself', async () => {
    const {management, left} = clientsOf({count: 3, items: [{id: '6'}, {title: 'foo'}, null, {id: '7'}]})
    expect(await management.services.list({})).toEqual({count: 3, items: [{id: '6'}, {id: '7'}]})
    expect(left).toEqual([['items.1', 'items.2']])
  })

  test('a site, which is written back whole, is read whole or not at all', async () => {
    const {management} = clientsOf({id: '7', admins: 'foo'})
    await expect(management.sites.get('7')).rejects.toHaveProperty('code', 'unknown')
  })

  test('no site is no site', async () => {
    expect(await clientsOf({count: 0, items: []}).management.sites.findByOrigin('https://foo.test')).toBeUndefined()
  })

  test.each([[{}], [{count: 'many', items: []}], [[]], ['text']])('%j is no list', async (answer) => {
    await expect(clientsOf(answer).management.applications.list({})).rejects.toHaveProperty('code', 'unknown')
  })
})

describe('sign-in', () => {
  test('a token without a refresh token is a token', async () => {
    const answer = {access_token: 'foo', expires_in: 3600, token_type: 'Bearer', scope: 'all'}
    expect(await clientsOf(answer).oauth.exchangeCode({code: 'bar'})).toEqual({access_token: 'foo', expires_in: 3600})
  })

  test.each([[{access_token: '', expires_in: 1}], [{expires_in: 1}]])('%j is none', async (answer) => {
    await expect(clientsOf(answer).oauth.exchangeCode({code: 'bar'})).rejects.toHaveProperty('code', 'unknown')
  })
})

describe('conversations', () => {
  const conversation = (content: unknown) => ({
    count: 1,
    items: [{id: 'foo', messages: [{role: 'user', content, mystery: 1}], mystery: 1}],
  })

  test.each([
    ['a string', 'bar'],
    ['text alone', [{type: 'text', text: 'bar'}]],
    ['addresses as text', [{type: 'image_url', image_url: 'https://a.test/b.png'}]],
    ['addresses as objects', [{type: 'file_url', file_url: {url: 'https://a.test/b.pdf'}}]],
    [
      'both forms together',
      [
        {type: 'text', text: 'bar'},
        {type: 'image_url', image_url: {url: 'https://a.test/b.png'}},
        {type: 'file_url', file_url: 'https://a.test/b.pdf'},
      ],
    ],
  ])('content as %s', async (_, content) => {
    const {chat} = clientsOf(conversation(content))
    expect(await chat.retrieveBatch({userId: 'foo'})).toEqual({
      count: 1,
      items: [{id: 'foo', messages: [{role: 'user', content}]}],
    })
  })

  test.each([
    ['a role nobody has', {role: 'tool', content: 'x'}, [], 'items.1.messages.0'],
    ['no form of a message', 'x', [], 'items.1.messages.0'],
    ['no content', {role: 'assistant'}, [{role: 'assistant', content: ''}], undefined],
    [
      'content null',
      {role: 'assistant', content: null},
      [{role: 'assistant', content: ''}],
      'items.1.messages.0.content',
    ],
    [
      'a state nobody knows',
      {role: 'assistant', content: 'x', state: 'thinking'},
      [{role: 'assistant', content: 'x'}],
      'items.1.messages.0.state',
    ],
    [
      'an item nobody knows',
      {
        role: 'user',
        content: [
          {type: 'audio', audio: 'x'},
          {type: 'text', text: 'x'},
          {type: 'text', text: 5},
        ],
      },
      [{role: 'user', content: [{type: 'text', text: 'x'}]}],
      'items.1.messages.0.content.0',
    ],
    [
      'an error in numbers',
      {role: 'assistant', content: '', error: {code: 5}},
      [{role: 'assistant', content: ''}],
      'items.1.messages.0.error',
    ],
  ])('a message with %s costs only that', async (_, message, messages, left) => {
    const last = {role: 'user', content: 'bar'}
    const clients = clientsOf({
      count: 2,
      items: [
        {id: 'foo', messages: [last]},
        {id: 'bar', title: 5, messages: [message, last]},
      ],
    })
    expect(await clients.chat.retrieveBatch({userId: 'foo'})).toEqual({
      count: 2,
      items: [
        {id: 'foo', messages: [last]},
        {id: 'bar', messages: [...messages, last]},
      ],
    })
    expect(clients.left).toHaveLength(1)
    if (left !== undefined) expect(clients.left[0]).toContain(left)
  })

  test('no list of conversations is none', async () => {
    await expect(clientsOf({count: 1, items: 'foo'}).chat.retrieveBatch({userId: 'foo'})).rejects.toHaveProperty(
      'code',
      'unknown',
    )
  })

  test('without messages, title and model is an empty one', async () => {
    expect(await clientsOf({id: 'foo', title: null, model: null}).chat.retrieve({conversation: 'foo'})).toEqual({
      id: 'foo',
      title: null,
      model: null,
      messages: [],
    })
  })
})
