import {describe, expect, test} from 'vitest'
import {createBackend} from './root-world.ts'
import {ask, ready, signedIn, start, token, until} from './start-root.ts'

describe('tokens and tabs below the root', () => {
  test('a code of nobody here never replaces a session', async () => {
    const {backend, root} = await ready({loginReturn: {code: 'stolen', state: 'x'.repeat(30)}})
    expect(backend.calls).not.toContain('POST /oauth2/v1/token')
    expect(root.actors.auth()?.getSnapshot().context.token?.access).toBe('access-1')
  })

  test('an expired token is refreshed before the user is asked for again', async () => {
    const backend = createBackend()
    backend.server.tokens.clear()
    const {root, navigations} = await ready({backend})
    expect(backend.calls.filter((call) => call.startsWith('POST /oauth2'))).toHaveLength(1)
    expect(root.actors.auth()?.getSnapshot().context.token?.access).toBe('access-2')
    expect(navigations).toEqual([])
  })

  test('a page without a token opens no service: the set-up goes, lists and what was typed stay', async () => {
    const chat = {
      service: {id: 's'},
      applications: [{id: 'app'}],
      application: {id: 'app'},
      credential: {id: 'c', token: 'key-1'},
      conversations: [{id: 'c-9', model: 'm', messages: []}],
      removing: ['c-8'],
    }
    const tool = {credential: {id: 'd', token: 'key-2'}, config: {prompt: 'foo'}}
    const bulkItems = new Map<string, unknown>([['user/u-1/draft/new', {text: 'foo', references: []}]])
    const user = {id: 'u-1', email: 'foo@example.com'}
    const {root, navigations, stored, reports} = start({stored: {user, chat, sora: tool}, bulkItems, capabilities: []})
    await until(root.actors.auth(), (snapshot) => snapshot.matches({redirecting: 'leaving'}))
    const {searchParams} = new URL(navigations[0] ?? '')
    expect([...searchParams.keys()]).toEqual(['redirect'])
    expect(searchParams.get('redirect')).toMatch(/^https:\/\/auth.test\/auth\/login\?site=/)
    const {conversations, removing} = chat
    expect(stored()).not.toHaveProperty('user')
    expect(stored()).toMatchObject({
      owner: 'u-1',
      chat: {conversations, removing},
      sora: {config: {prompt: 'foo'}},
    })
    expect(JSON.stringify(stored())).not.toMatch(/key-|app|foo@/)
    expect([...bulkItems.keys()]).toEqual(['user/u-1/draft/new'])
    expect(reports).toEqual([])
  })

  test('a page without a token in the popup flow stays where it is', async () => {
    const {root, navigations} = start({loginFlow: 'popup'})
    await until(root.actors.auth(), (snapshot) => snapshot.hasTag('loginDialog'))
    await until(root.actors.startup(), (snapshot) => snapshot.hasTag('ready'))
    expect(navigations).toEqual([])
  })

  test('without refresh an old session goes to the login page, not to an error', async () => {
    const backend = createBackend()
    backend.server.tokens.clear()
    const user = {id: 'u-1', email: 'foo@example.com', nickname: 'foo'}
    const {root, navigations, stored} = start({backend, stored: {...signedIn, user}, capabilities: []})
    await until(root.actors.auth(), (snapshot) => snapshot.matches({redirecting: 'leaving'}))
    // of the user only whose the lists are stays (docs/decisions/0021)
    expect(stored()).not.toHaveProperty('user')
    expect(stored().owner).toBe('u-1')
    expect(JSON.stringify(stored())).not.toMatch(/foo@|access-1/)
    expect(root.actors.startup()?.getSnapshot().hasTag('failed')).toBe(false)
    expect(navigations).toHaveLength(1)
    // a 401 asks for the login alone (spec §4): who is still known at the auth service need not type anything
    expect(navigations[0]).toMatch(/^https:\/\/auth.test\/auth\/login\?/)
  })

  test('five 401s at once are one refresh', async () => {
    const {root, backend} = await ready()
    backend.server.tokens.clear()
    const {management} = root.services
    const answers = await Promise.allSettled(Array.from({length: 5}, () => management.users.me()))
    expect(answers.every(({status}) => status === 'rejected')).toBe(true)
    await until(root.actors.auth(), (snapshot) => snapshot.context.token?.access === 'access-2')
    expect(backend.calls.filter((call) => call.startsWith('POST /oauth2'))).toHaveLength(1)
    await expect(management.users.me()).resolves.toEqual({id: 'u-1', nickname: 'Foo'})
  })

  test('a credential the AI host refuses is made again once, and the question is answered', async () => {
    const world = await ready()
    world.backend.server.refusedCredentials.add('key-1')
    const conversation = await ask(world, 'foo')
    await until(conversation, (snapshot) => snapshot.matches('finished'))
    expect(world.backend.calls.filter((call) => call === 'POST /api/v1/credentials/')).toHaveLength(2)
  })

  test('another tab signs out: the session here ends and nothing of it is written back', async () => {
    const {root, events, stored} = await ready()
    const undo = {to: 'conversations', event: {type: 'conversations.restore', keys: ['foo']}}
    root.actors.notices()?.send({type: 'notice.show', notice: {id: 'a', kind: 'info', textId: 'chat.foo', undo}})
    events.tabs.next({type: 'session.ended', epoch: 7})
    expect(root.actors.auth()?.getSnapshot().value).toBe('signedOut')
    expect(root.actors.session()).toBeUndefined()
    expect(root.actors.notices()?.getSnapshot().context.notices).toEqual([])
    expect(stored()).not.toHaveProperty('token')
  })

  test('another tab signs in again: the word of it may come before the token does', async () => {
    const {root, events, stored, storeElsewhere} = await ready()
    events.tabs.next({type: 'session.ended', epoch: 1})
    stored()
    events.tabs.next({type: 'token.stored', epoch: 1})
    expect(root.actors.auth()?.getSnapshot().value).toBe('signedOut')
    storeElsewhere({token: {...token, receivedAt: 1_000_001}, user: {id: 'u-1'}, _meta: {epoch: 1}})
    await until(root.actors.auth(), (snapshot) => snapshot.hasTag('authenticated'))
    await until(root.actor, () => root.actors.session() !== undefined)
  })

  test('a token of a session this tab has not heard of yet waits for its word', async () => {
    const {root, storeElsewhere} = await ready()
    storeElsewhere({token: {...token, access: 'other', receivedAt: 1_000_001}, user: {id: 'u-2'}, _meta: {epoch: 1}})
    expect(root.actors.auth()?.getSnapshot().context).toMatchObject({token, user: {id: 'u-1'}, epoch: 0})
  })
})
