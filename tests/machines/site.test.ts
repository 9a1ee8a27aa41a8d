import {describe, expect, test} from 'vitest'
import {assign, createActor, fromPromise, setup, SimulatedClock, waitFor} from 'xstate'
import type {Site} from '#contract/management.ts'
import {siteMachine, type SiteEvent} from '#machines/site/site.machine.ts'
import type {SiteDecided} from '#machines/site/site-decision.ts'
import {selectTitle} from '#machines/site/site.selectors.ts'
import {siteOriginMachine, type SiteOriginOutput} from '#machines/site/site-origin.machine.ts'
import type {EventFixtures} from './graph.ts'
import {describeRules} from './rules.ts'

const site: Site = {id: 'foo', origin: 'https://foo.test', title: 'Foo'}
const refusal = Object.assign(new Error('foo'), {status: 403, code: 'forbidden', detail: 'foo'})

/** The machine without a page that shows the site. */
const shownSiteMachine = siteMachine.provide({actions: {applySite: () => undefined, requestLogin: () => undefined}})

const events = {
  'site.load': [{type: 'site.load'}],
  'site.initialize': [{type: 'site.initialize'}],
  'site.changed': [{type: 'site.changed', site: {...site, title: 'Bar'}}],
} satisfies EventFixtures<SiteEvent>

const decided: SiteDecided[] = [
  {type: 'site.decided', hasOrigin: true},
  {type: 'site.decided', hasOrigin: false},
  {type: 'site.decided', hasOrigin: false, failure: {code: 'forbidden', detail: 'foo', status: 403}},
]

describe('the origin of a site', () => {
  const {coverage, states} = describeRules(siteOriginMachine, {
    user: [],
    input: undefined,
    events: decided,
    key: ({context}) => context,
  })
  test('every transition is taken', () => expect(coverage.missing(siteOriginMachine)).toEqual([]))

  test('it ends with an origin or a failure', () => {
    const ends = states.filter(({status}) => status === 'done')
    expect(ends.map(({output}) => ({...output, failure: output?.failure?.code}))).toEqual(
      expect.arrayContaining([
        {hadOrigin: true, failure: undefined},
        {hadOrigin: false, failure: undefined},
        {hadOrigin: false, failure: 'forbidden'},
      ]),
    )
  })

  const originOf = async (get: () => Promise<Site | undefined>, initialize: () => Promise<Site>) => {
    const made: string[] = []
    const system = setup({
      actors: {
        site: shownSiteMachine.provide({
          actors: {
            getSite: fromPromise<Site | undefined, {origin: string}>(get),
            initializeSite: fromPromise<Site, {origin: string}>(({input}) => {
              made.push(input.origin)
              return initialize()
            }),
          },
        }),
        siteOrigin: siteOriginMachine,
      },
    }).createMachine({
      // as: empty until the child has ended
      context: {output: undefined as SiteOriginOutput | undefined},
      invoke: [
        {id: 'site', systemId: 'site', src: 'site', input: {origin: 'https://foo.test'}},
        {
          id: 'siteOrigin',
          src: 'siteOrigin',
          onDone: {actions: assign(({event}) => ({output: event.output}))},
        },
      ],
    })
    const actor = createActor(system).start()
    const {context} = await waitFor(actor, (snapshot) => snapshot.context.output !== undefined)
    return {...context.output, made}
  }

  test.each([
    ['a site with an origin is left alone', async () => site, {hadOrigin: true, made: []}],
    ['a site without one is made', async () => undefined, {hadOrigin: false, made: ['https://foo.test']}],
    [
      'one that could not be read as well',
      () => Promise.reject(new Error('foo')),
      {hadOrigin: false, made: ['https://foo.test']},
    ],
  ])('%s', async (_, get, outcome) => {
    expect(await originOf(get, async () => site)).toEqual(outcome)
  })

  test('a refusal is said', async () => {
    const outcome = await originOf(
      async () => undefined,
      () => Promise.reject(refusal),
    )
    expect(outcome).toEqual({
      hadOrigin: false,
      failure: {code: 'forbidden', detail: 'foo', status: 403},
      made: ['https://foo.test'],
    })
  })
})

describe('site', () => {
  const {coverage} = describeRules(siteMachine, {
    user: ['site.load'],
    input: {origin: 'https://foo.test'},
    events: Object.values(events).flat(),
    outputs: {getSite: [site, undefined], initializeSite: [site]},
    errors: [refusal, new Error('foo')],
    key: ({context}) => Boolean(context.site?.origin),
  })

  test('every transition is taken', () => expect(coverage.missing(siteMachine)).toEqual([]))

  test('a site that cannot be read keeps what was stored and can be read again', async () => {
    const answers: (() => Promise<Site>)[] = [() => Promise.reject(new Error('foo')), () => Promise.resolve(site)]
    const machine = shownSiteMachine.provide({
      actors: {getSite: fromPromise<Site | undefined, {origin: string}>(() => answers.shift()!())},
    })
    const actor = createActor(machine, {input: {origin: 'https://foo.test', restored: {title: 'Old'}}}).start()
    const failed = await waitFor(actor, (snapshot) => snapshot.matches('failed'))
    expect(failed.context.site).toEqual({title: 'Old'})
    actor.send({type: 'site.load'})
    const ready = await waitFor(actor, (snapshot) => snapshot.matches('ready'))
    expect(ready.context).toEqual({origin: 'https://foo.test', site, failure: undefined})
  })

  test('what was cleared is gone, also where it was stored', async () => {
    const restored: Site = {...site, logo: 'logo.png', accent: {hue: 150, chroma: 0.1}}
    const read = {...site, title: null, logo: null, accent: null}
    const machine = shownSiteMachine.provide({
      actors: {getSite: fromPromise<Site | undefined, {origin: string}>(async () => read)},
    })
    const actor = createActor(machine, {input: {origin: 'https://foo.test', restored}}).start()
    const ready = await waitFor(actor, (snapshot) => snapshot.matches('ready'))
    expect(ready.context.site).toEqual(read)
  })

  test.each([
    ['Foo', 'Foo'],
    [' Foo ', 'Foo'],
    ['', 'Atrium'],
    [' ', 'Atrium'],
    [null, 'Atrium'],
  ])('a site with the title %j is called %s', async (title, name) => {
    const machine = shownSiteMachine.provide({
      actors: {getSite: fromPromise<Site | undefined, {origin: string}>(async () => ({...site, title}))},
    })
    const actor = createActor(machine, {input: {origin: 'https://foo.test'}}).start()
    expect(selectTitle(actor.getSnapshot())).toBeUndefined()
    expect(selectTitle(await waitFor(actor, (snapshot) => snapshot.matches('ready')))).toBe(name)
  })

  test('what an editor alone is told is not kept: the next user of the browser finds none of it', async () => {
    const editorSite = {...site, admins: ['u-1'], editable: true, metadata: {note: 'secret'}}
    const kept: (Site | undefined)[] = []
    const machine = shownSiteMachine.provide({
      actors: {getSite: fromPromise<Site | undefined, {origin: string}>(async () => editorSite)},
    })
    const actor = createActor(machine, {input: {origin: 'https://foo.test', restored: editorSite}})
    actor.subscribe(({context}) => kept.push(context.site))
    actor.start()
    await waitFor(actor, (snapshot) => snapshot.matches('ready'))
    actor.send({type: 'site.changed', site: {...editorSite, title: 'New'}})
    expect(kept).toEqual([site, site, {...site, title: 'New'}])
  })

  test.each([
    ['a refused initialization asks for a login, once', refusal, 1],
    ['a server out of reach asks for none', new TypeError('fetch failed'), 0],
  ])('%s', async (_, reason, logins) => {
    let asked = 0
    const machine = shownSiteMachine.provide({
      actors: {
        getSite: fromPromise<Site | undefined, {origin: string}>(async () => undefined),
        initializeSite: fromPromise<Site, {origin: string}>(() => Promise.reject(reason)),
      },
      actions: {requestLogin: () => void (asked += 1)},
    })
    const actor = createActor(machine, {input: {origin: 'https://foo.test'}}).start()
    await waitFor(actor, (snapshot) => snapshot.matches('ready'))
    actor.send({type: 'site.initialize'})
    await waitFor(actor, (snapshot) => snapshot.matches('failed'))
    expect(asked).toBe(logins)
  })

  test.each([
    ['the site of another installation', {...site, origin: 'https://bar.test'}],
    ['a site that the server does not know any more', site],
  ])('%s is given up: one is made', async (_, restored) => {
    const asked: string[] = []
    const machine = shownSiteMachine.provide({
      actors: {
        getSite: fromPromise<Site | undefined, {origin: string}>(async () => undefined),
        initializeSite: fromPromise<Site, {origin: string}>(async ({input}) => {
          asked.push(input.origin)
          return {id: 'bar', origin: input.origin}
        }),
      },
    })
    const actor = createActor(machine, {input: {origin: 'https://foo.test', restored}}).start()
    await waitFor(actor, (snapshot) => snapshot.matches('ready'))
    actor.send({type: 'site.initialize'})
    const made = await waitFor(actor, (snapshot) => snapshot.context.site !== undefined)
    expect(asked).toEqual(['https://foo.test'])
    expect(made.context.site).toEqual({id: 'bar', origin: 'https://foo.test'})
  })

  test('nothing of the site of another installation is laid under this one', async () => {
    const machine = shownSiteMachine.provide({
      actors: {getSite: fromPromise<Site | undefined, {origin: string}>(async () => site)},
    })
    const restored = {origin: 'https://bar.test', description: 'Bar'}
    const actor = createActor(machine, {input: {origin: 'https://foo.test', restored}}).start()
    expect(actor.getSnapshot().context.site).toBeUndefined()
    const ready = await waitFor(actor, (snapshot) => snapshot.matches('ready'))
    expect(ready.context.site).toEqual(site)
  })

  test('an answer that never comes ends in failed at its deadline', () => {
    const clock = new SimulatedClock()
    const machine = shownSiteMachine.provide({
      actors: {getSite: fromPromise<Site | undefined, {origin: string}>(() => new Promise(() => {}))},
    })
    const actor = createActor(machine, {input: {origin: 'https://foo.test'}, clock}).start()
    clock.increment(14_999)
    expect(actor.getSnapshot().value).toBe('loading')
    clock.increment(1)
    expect(actor.getSnapshot().value).toBe('failed')
  })

  test('a site that has an origin is not initialized', async () => {
    const machine = shownSiteMachine.provide({
      actors: {getSite: fromPromise<Site | undefined, {origin: string}>(async () => site)},
    })
    const actor = createActor(machine, {input: {origin: 'https://foo.test'}}).start()
    const ready = await waitFor(actor, (snapshot) => snapshot.matches('ready'))
    expect(ready.can({type: 'site.initialize'})).toBe(false)
  })
})
