import {describe, expect, test} from 'vitest'
import {all as tools} from '../contract/media/all-tools.ts'
import {createBackend, hub, state} from './root-world.ts'
import {eventually} from '../eventually.ts'
import {ask, need, ready, signedIn, start, token, until} from './start-root.ts'

describe('the whole root on fake ports', () => {
  test('every request of a returning browser carries its id, the first ones too', async () => {
    const backend = createBackend()
    const sent = new Map<string, string | null>()
    const fetch: typeof globalThis.fetch = (address, init) => {
      const {pathname} = new URL(address instanceof Request ? address.url : address)
      if (pathname.startsWith('/api/v1/')) sent.set(pathname, new Headers(init?.headers).get('x-fingerprint'))
      return backend.fetch(address, init)
    }
    await ready({backend: {...backend, fetch}, stored: {...signedIn, fingerprint: 'f'.repeat(32), currency: 'eur'}})
    expect([...sent.keys()]).toEqual(expect.arrayContaining(['/api/v1/sites/', '/api/v1/users/me']))
    expect(new Set(sent.values())).toEqual(new Set(['f'.repeat(32)]))
  })

  test('a stored credential of another host is never sent', async () => {
    const backend = createBackend()
    const sent: (string | null)[] = []
    const fetch: typeof globalThis.fetch = (address, init) => {
      const {pathname} = new URL(address instanceof Request ? address.url : address)
      if (pathname === '/aichat/conversations') sent.push(new Headers(init?.headers).get('authorization'))
      return backend.fetch(address, init)
    }
    const credential = {id: 'k', token: 'key-elsewhere', host: 'https://elsewhere.test', application_id: 'app'}
    await ready({backend: {...backend, fetch}, stored: {...signedIn, chat: {credential}}})
    expect(sent.length).toBeGreaterThan(0)
    expect(sent).not.toContain('Bearer key-elsewhere')
  })

  test('a fresh visitor is sent through the logout to the login page, once, with a transaction', async () => {
    const {root, navigations, deps, cookies} = start({href: `${hub}/chatgpt?foo=bar&inviter_id=friend`})
    await until(root.actors.auth(), (snapshot) => snapshot.matches({redirecting: 'leaving'}))
    await until(root.actors.startup(), (snapshot) => snapshot.hasTag('redirecting'))
    expect(navigations).toHaveLength(1)
    const logout = new URL(navigations[0] ?? '')
    expect(`${logout.origin}${logout.pathname}`).toBe('https://auth.test/auth/logout')
    expect([...logout.searchParams.keys()]).toEqual(['redirect', 'reason'])
    const url = new URL(logout.searchParams.get('redirect') ?? '')
    expect(`${url.origin}${url.pathname}`).toBe('https://auth.test/auth/login')
    expect(Object.fromEntries(url.searchParams)).toEqual({
      ...{site: hub, inviter_id: 'friend', lang: 'en', theme: 'dark', code_challenge_method: 'S256'},
      // they are looked at below
      ...{redirect: expect.any(String), state: expect.any(String), code_challenge: expect.any(String)},
    })
    const redirect = new URL(url.searchParams.get('redirect') ?? '')
    expect(`${redirect.origin}${redirect.pathname}`).toBe(`${hub}/auth/callback`)
    expect(redirect.searchParams.get('redirect')).toBe('/chatgpt?foo=bar&inviter_id=friend')
    expect(redirect.searchParams.get('state')).toBe(url.searchParams.get('state'))
    const begun = (await deps.transactions()).claim(url.searchParams.get('state') ?? undefined, deps.timers.now())
    expect(url.searchParams.get('code_challenge')).toBe(`challenge-of-${begun?.verifier}`)
    expect(cookies).toEqual({inviterId: 'friend', theme: 'dark', locale: 'en'})
    expect(root.actors.session()).toBeUndefined()
  })

  test('code → signed in → provisioning → ask → finished, and it is stored', async () => {
    const world = await ready({stored: undefined, begun: true, loginReturn: {code: 'foo', state}})
    const {root, backend} = world
    const conversation = await ask(world, 'foo')
    const {context} = await until(conversation, (snapshot) => snapshot.matches('finished'))
    expect(context.messages.map(({role, content}) => [role, content])).toEqual([
      ['user', 'foo'],
      ['assistant', 'bar'],
    ])
    expect(backend.calls.filter((call) => call.includes('token'))).toEqual(['POST /oauth2/v1/token'])
    expect(backend.calls.indexOf('POST /oauth2/v1/token')).toBeLessThan(backend.calls.indexOf('GET /api/v1/users/me'))
    const stored = world.stored()
    expect(stored).toMatchObject({
      user: {id: 'u-1'},
      token: {access: 'access-1', expiration: 900},
      chat: {credential: {token: 'key-1'}, application: {id: 'app'}, conversations: [{id: 'c-1', key: 'new'}]},
      site: {origin: hub},
      locale: 'en',
      dark: true,
      currency: 'usd',
    })
    expect(root.actors.session()?.getSnapshot().context.user.id).toBe('u-1')
  })

  test('logout ends all children, clears what is of the user, and is one navigation', async () => {
    const world = await ready()
    const {root, navigations, reports, bulkItems, deps} = world
    const conversation = await ask(world, 'foo')
    await until(conversation, (snapshot) => snapshot.matches('finished'))
    await deps.bulk.flush()
    expect(bulkItems.size).toBe(1)
    const below = [
      need(root.actors.session()),
      need(root.actors.provisioning()),
      need(root.actors.conversations()),
      conversation,
    ]
    root.actors.auth()?.send({type: 'logout.request'})
    await until(root.actors.auth(), (snapshot) => snapshot.matches({redirecting: 'leaving'}))
    expect(below.map((actor) => actor.getSnapshot().status)).toEqual(['stopped', 'stopped', 'stopped', 'stopped'])
    expect([root.actors.session(), root.actors.provisioning(), root.actors.conversations()]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    expect(Object.keys(world.stored()).sort()).toEqual(
      ['_meta', 'currency', 'dark', 'exchange', 'fingerprint', 'locale', 'setting', 'site'].sort(),
    )
    expect([...bulkItems.keys()]).toEqual([])
    expect(reports.at(-1)).toEqual({type: 'session.ended', epoch: 1})
    expect(navigations).toHaveLength(1)
    expect(navigations[0]?.startsWith('https://auth.test/auth/logout?redirect=')).toBe(true)
  })

  test('logout resets every service, and who signs in next begins with none of it', async () => {
    const provision = {
      applications: [{id: 'old'}],
      application: {id: 'old'},
      credential: {id: 'old', application_id: 'old', token: 'old', host: hub},
    }
    const slices = Object.fromEntries(['chat', ...tools.map(({id}) => id)].map((id) => [id, provision]))
    const world = await ready({stored: {...signedIn, ...slices}})
    world.root.actors.auth()?.send({type: 'logout.request'})
    await until(world.root.actors.auth(), (snapshot) => snapshot.matches({redirecting: 'leaving'}))
    const left = Object.keys(world.stored())
    expect(['chat', ...tools.map(({id}) => id)].filter((id) => left.includes(id))).toEqual([])
    const next = await ready({stored: {...world.stored(), ...signedIn}})
    const {application, credential} = need(next.root.actors.provisioning()).getSnapshot().context
    expect([application?.id, credential?.token]).toEqual(['app', 'key-1'])
    expect(JSON.stringify(next.stored())).not.toContain('"old"')
  })

  test('favourites outlive a logout for their user alone', async () => {
    const favourites = {'task-1': 5}
    const world = await ready({stored: {...signedIn, flux: {favourites}}})
    world.root.actors.auth()?.send({type: 'logout.request'})
    await until(world.root.actors.auth(), (snapshot) => snapshot.matches({redirecting: 'leaving'}))
    expect(world.stored()).toMatchObject({favourites: [{tools: {flux: favourites}}]})
    expect(JSON.stringify(world.stored())).not.toContain('u-1')
    const again = await ready({stored: {...world.stored(), ...signedIn}})
    expect([again.stored()['flux'], again.stored()['favourites']]).toEqual([{favourites}, undefined])
  })

  test('what an earlier page kept as unread is unread, by the server’s id, until it is opened', async () => {
    const backend = createBackend()
    const conversation = {id: 'c-9', model: 'm', messages: [{role: 'user', content: 'foo'}], updated_at: 1}
    backend.server.conversations = [conversation]
    const chat = {conversations: [{...conversation, key: 'made-here'}], unread: ['c-9', 'gone']}
    const world = await ready({backend, stored: {...signedIn, chat}})
    const list = world.root.actors.conversations()
    await until(list, (snapshot) => snapshot.matches('success'))
    await eventually(() => expect(world.stored()).toHaveProperty('chat.unread', ['c-9']))
    expect(list?.getSnapshot().context.unread).toEqual(['made-here'])
    list?.send({type: 'conversation.open', key: 'c-9'})
    await eventually(() => expect(world.stored()).toHaveProperty('chat.unread', []))
  })

  test('set-up that failed begins anew when the network returns', async () => {
    const {root, events, backend} = await ready()
    const provisioning = need(root.actors.provisioning())
    backend.server.refusesSetUp = true
    provisioning.send({type: 'provision.refresh'})
    await until(provisioning, (snapshot) => snapshot.matches({service: 'error', applications: 'error'}))
    backend.server.refusesSetUp = false
    events.online.next(false)
    events.online.next(true)
    await until(provisioning, (snapshot) => snapshot.matches({service: 'success', credential: 'success'}))
  })

  test('a browser that cannot clear what it keeps is signed out all the same', async () => {
    const {root, deps, logged} = await ready()
    deps.bulk.clearUser = () => Promise.reject(new Error('foo'))
    root.actors.auth()?.send({type: 'logout.request'})
    await until(root.actors.auth(), (snapshot) => snapshot.matches({redirecting: 'leaving'}))
    expect(root.actors.auth()?.getSnapshot().context).toMatchObject({epoch: 1, token: undefined, user: undefined})
    expect(logged).toContain('Data of the user may have stayed in this browser')
  })

  test('toasts tell of a first application and of a deletion that can be taken back', async () => {
    const backend = createBackend()
    backend.server.applications = []
    const world = start({stored: signedIn, backend})
    const {actors} = world.root
    await until(actors.startup(), (snapshot) => snapshot.hasTag('ready'))
    await until(actors.session(), (snapshot) => snapshot.hasTag('active'))
    await until(actors.provisioning(), (snapshot) => snapshot.hasTag('needsApplication'))
    actors.provisioning()?.send({type: 'application.apply', termsAccepted: true})
    await until(actors.provisioning(), (snapshot) => snapshot.hasTag('ready'))
    const conversation = await ask(world, 'foo')
    await until(conversation, (snapshot) => snapshot.matches('finished'))
    actors.conversations()?.send({type: 'conversations.remove', keys: ['new']})
    const shown = actors
      .notices()
      ?.getSnapshot()
      .context.notices.map(({kind, textId, undo}) => ({kind, textId, undo}))
    expect(shown).toEqual([
      {kind: 'success', textId: 'application.applied', undo: undefined},
      {
        kind: 'info',
        textId: 'chat.conversationDeleted',
        undo: {to: 'conversations', event: {type: 'conversations.restore', keys: ['new']}},
      },
    ])
  })

  test('a site without an origin is initialized after the sign-in', async () => {
    const backend = createBackend()
    backend.server.siteOrigin = undefined
    const {root} = await ready({backend, stored: undefined, begun: true, loginReturn: {code: 'foo', state}})
    const {calls} = backend
    expect(calls.indexOf('POST /api/v1/sites/initialize/')).toBeGreaterThan(calls.indexOf('POST /oauth2/v1/token'))
    expect(root.actors.site()?.getSnapshot().context.site?.origin).toBe(hub)
  })

  test('popup: the message of the login page signs in and reloads', async () => {
    const {root, events, navigations} = start({loginFlow: 'popup'})
    await until(root.actors.auth(), (snapshot) => snapshot.hasTag('loginDialog'))
    await until(root.actors.startup(), (snapshot) => snapshot.hasTag('ready'))
    events.login.next({name: 'show_qr', data: {qrLink: 'foo'}})
    expect(root.actors.auth()?.getSnapshot().context.qrLink).toBe('foo')
    events.login.next({name: 'login', data: {access_token: 'access-1', refresh_token: 'r', expires_in: 900}})
    await until(root.actors.auth(), () => navigations.length > 0)
    expect(navigations).toEqual(['reload'])
    expect(events.login.observed).toBe(false)
  })

  test('credits that a read of the balance finds are no reason to read it again', async () => {
    const backend = createBackend()
    backend.server.applications = [{id: 'app', scope: 'Global', type: 'Usage', credentials: [], remaining_amount: 1}]
    const world = await ready({backend})
    const provisioning = need(world.root.actors.provisioning())
    const readsOf = async (remaining: number) => {
      backend.server.applications = backend.server.applications.map((item) => ({...item, remaining_amount: remaining}))
      backend.calls.length = 0
      provisioning.send({type: 'applications.refresh'})
      await until(provisioning, ({context}) => context.application?.remaining_amount === remaining)
      await until(provisioning, (snapshot) => !snapshot.hasTag('settling'))
      return backend.calls.filter((call) => call === 'GET /api/v1/applications/').length
    }
    const once = await readsOf(0.5)
    expect(await readsOf(20)).toBe(once)
  })

  test('what an order brought is chosen, also when it is told before the session stands', async () => {
    const backend = createBackend()
    const general = {id: 'app', scope: 'Global', type: 'Usage', credentials: [], remaining_amount: 0}
    backend.server.applications = [{...general, id: 'plan', type: 'Period', remaining_amount: 5}, general]
    const world = start({
      backend,
      capabilities: ['pkce', 'refresh', 'general-plans'],
      stored: {...signedIn, chat: {applications: [general], application: general}},
    })
    const {actors} = world.root
    await until(world.root.actor, () => actors.session() !== undefined)
    expect(actors.session()?.getSnapshot().matches('restoring')).toBe(true)
    actors.session()?.send({type: 'credits.bought', applicationId: 'plan', at: 1_000})
    await until(actors.session(), (snapshot) => snapshot.hasTag('active'))
    await until(actors.provisioning(), (snapshot) => snapshot.context.application?.id === 'plan')
    await until(actors.provisioning(), (snapshot) => snapshot.hasTag('ready'))
    expect(backend.calls).toContain('POST /api/v1/credentials/')
    expect(
      actors
        .session()
        ?.getSnapshot()
        .context.queue.map(({to}) => to),
    ).toEqual(['tasks'])
  })

  test('a plan that the calls of the specification do not list is asked for by its id, and kept', async () => {
    const backend = createBackend()
    const world = await ready({backend})
    const provisioning = need(world.root.actors.provisioning())
    const readPlan = () => backend.calls.filter((call) => call === 'GET /api/v1/applications/plan').length
    expect(readPlan()).toBe(0)
    backend.server.plan = {id: 'plan', scope: 'Global', type: 'Period', credentials: [], remaining_amount: 5}
    world.root.actors.session()?.send({type: 'credits.bought', applicationId: 'plan', at: 1_000})
    await until(provisioning, ({context}) => context.application?.id === 'plan')
    provisioning.send({type: 'applications.refresh'})
    await until(provisioning, (snapshot) => snapshot.matches({applications: 'success'}))
    expect([provisioning.getSnapshot().context.application?.id, readPlan()]).toEqual(['plan', 2])
    backend.server.plan = undefined
    provisioning.send({type: 'applications.refresh'})
    await until(provisioning, ({context}) => context.application?.id === 'app')
  })

  test('what was stored for another user is not shown to this one', async () => {
    const world = await ready({
      stored: {
        user: {id: 'somebody-else'},
        token,
        chat: {credential: {id: 'k', token: 'theirs', host: hub}, conversations: [{id: 'theirs', messages: []}]},
      },
    })
    expect(world.root.actors.conversations()?.getSnapshot().context.items).toEqual([])
    expect(world.root.actors.provisioning()?.getSnapshot().context.credential?.token).toBe('key-1')
  })
})
