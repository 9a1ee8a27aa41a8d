import {describe, expect, test} from 'vitest'
import {
  assign,
  createActor,
  createMachine,
  fromPromise,
  SimulatedClock,
  waitFor,
  type AnyActorRef,
  type InspectionEvent,
} from 'xstate'
import type {User} from '#contract/management.ts'
import {isRecord} from '#contract/is-record.ts'
import {appMachine} from '#machines/app/app.machine.ts'
import {selectIsDown} from '#machines/app/app.selectors.ts'
import type {AppEvent, AppInput} from '#machines/app/app.types.ts'
import {authMachine} from '#machines/auth/auth.machine.ts'
import {noticesMachine} from '#machines/notices/notices.machine.ts'
import {sessionMachine} from '#machines/session/session.machine.ts'
import type {SessionChild, SessionContext, SessionEvent, StoredSession} from '#machines/session/session.types.ts'
import {siteMachine} from '#machines/site/site.machine.ts'
import {environmentLogic, startEnvironment} from './environment-fixture.ts'
import type {EventFixtures} from './graph.ts'
import {intent} from './media-fixtures.ts'
import {describeRules} from './rules.ts'

const user: User = {id: 'u-1'}
const token = {access: 'foo', expiration: 900, receivedAt: 0, refreshAt: 0}
const input: AppInput = {
  auth: {flow: 'redirect', epoch: 1, canRefresh: false, restored: {token, user}},
  site: {origin: 'https://foo.test'},
  preferences: {locale: 'en', theme: 'dark', followsSystem: false},
  environment: {isOnline: true, isVisible: true},
  host: 'https://foo.test',
}
const failure = {code: 'unknown', detail: 'foo'}

describe('app', () => {
  const children = ['startup', 'auth', 'site', 'preferences', 'notices', 'session'] as const
  const events = {
    'session.opened': [
      {type: 'session.opened', user, epoch: 1},
      {type: 'session.opened', user: {id: 'u-2'}, epoch: 1},
    ],
    'session.closed': [{type: 'session.closed'}],
    'token.renewed': [{type: 'token.renewed'}],
    'xstate.error.actor.environment': [{type: 'xstate.error.actor.environment', error: new Error('foo')}],
    'child.restart': children.map((child) => ({type: 'child.restart' as const, child})),
  } satisfies EventFixtures<AppEvent>
  // each part on its own: the regions do not touch each other, and together they are too many
  const walks = children.map((child) => {
    const own = Object.values(events)
      .flat()
      .filter((event) => event.type !== 'child.restart' || event.child === child)
    return {child, own}
  })
  const {states, coverage} = describeRules(appMachine, {
    user: ['child.restart'],
    lasting: ['first', 'again'].flatMap((auth) =>
      ['absent', 'running'].map((session) => ({
        preferences: 'running',
        notices: 'running',
        auth: {running: auth},
        site: 'running',
        startup: 'running',
        session,
      })),
    ),
    input,
    events: walks.flatMap(({own}) => own).filter((event, index, all) => all.indexOf(event) === index),
    errors: [new Error('foo')],
    outputs: Object.fromEntries(children.map((child) => [child, []])),
    endless: [...children],
    key: ({context: {session, crashes}}) => [session?.user.id, children.map((child) => crashes[child]?.count ?? 0)],
    // one part at a time breaks
    stop: ({context: {crashes}}) => Object.values(crashes).filter((crash) => crash !== undefined).length > 1,
  })
  test('every transition is taken', () => {
    // what an actor tells of itself: the walk has no actors that run
    const {root, actor} = start(coverage.inspect)
    actor('auth')?.send({type: 'session.resume'})
    root.stop()
    expect(coverage.missing(appMachine)).toEqual([])
  })
  test('a session runs only for a user', () => {
    expect(states.filter((state) => state.matches({session: 'running'}) && !state.context.session)).toEqual([])
  })

  /** The root with parts that break on demand. */
  function start(inspect?: (event: InspectionEvent) => void) {
    const clock = new SimulatedClock()
    const starts: string[] = []
    const machine = appMachine.provide({
      actors: {
        environment: environmentLogic,
        auth: authMachine.provide({actors: {fetchUser: fromPromise(async () => user)}}),
        site: siteMachine.provide({actions: {applySite: () => undefined, requestLogin: () => undefined}}),
        notices: noticesMachine.provide({
          actions: {
            add: () => {
              throw new Error('foo')
            },
          },
        }),
        session: sessionMachine.provide({
          actors: {
            readStored: fromPromise<StoredSession, {userId: string}>(({input: {userId}}) => {
              starts.push(userId)
              return new Promise(() => {})
            }),
          },
        }),
      },
      actions: {logCrash: (_, {child}) => void starts.push(`${child} broke`)},
    })
    const root = createActor(machine, {input, clock, ...(inspect && {inspect})})
    root.subscribe({error: () => undefined})
    root.start()
    // as: the id is one of the root's parts
    const actor = (id: string) => root.system.get(id) as AnyActorRef | undefined
    return {root, clock, starts, actor}
  }
  const breakNotices = (actor: (id: string) => AnyActorRef | undefined) =>
    actor('notices')?.send({type: 'notice.show', notice: {id: 'a', kind: 'info', textId: 'chat.foo'}})

  test('a part that breaks leaves its siblings alone and is started again, three times, then waits', () => {
    const {root, clock, actor} = start()
    const site = actor('site')
    for (let round = 1; round <= 4; round += 1) {
      breakNotices(actor)
      expect(root.getSnapshot().context.crashes.notices?.failure).toEqual({code: 'unknown', detail: 'foo'})
      expect(root.getSnapshot().status).toBe('active')
      expect(actor('site')).toBe(site)
      clock.increment(30_000)
    }
    expect(selectIsDown(root.getSnapshot(), 'notices')).toBe(true)
    root.send({type: 'child.restart', child: 'notices'})
    expect(actor('notices')?.getSnapshot().status).toBe('active')
    root.stop()
  })

  test('a calm minute forgives', () => {
    const {root, clock, actor} = start()
    breakNotices(actor)
    clock.increment(1_000)
    clock.increment(60_000)
    expect(root.getSnapshot().context.crashes.notices?.failure).toBeUndefined()
    root.stop()
  })

  test('a session opens with the user and ends, with all below it, when the user leaves', async () => {
    const {root, actor, starts} = start()
    actor('auth')?.send({type: 'session.resume'})
    await waitFor(root, (snapshot) => snapshot.matches({session: 'running'}))
    const session = root.getSnapshot().children.session
    expect(starts).toEqual(['u-1'])
    actor('auth')?.send({type: 'session.ended', epoch: 2})
    expect(root.getSnapshot().matches({session: 'absent'})).toBe(true)
    expect(session?.getSnapshot().status).toBe('stopped')
    expect([actor('session'), root.getSnapshot().context.session]).toEqual([undefined, undefined])
    root.stop()
  })
})

const sessionChildren: SessionChild[] = ['provisioning/chat', 'conversations', 'tasks', 'player']

const isFound = (event: {type: string}) => 'output' in event && Array.isArray(event.output) && event.output.length > 0

describe('session', () => {
  const events = {
    'provision.ready': [{type: 'provision.ready', serviceId: 's'}],
    'provision.missing': [{type: 'provision.missing', serviceId: 's'}],
    'provision.serviceRead': [{type: 'provision.serviceRead', serviceId: 's', capabilities: []}],
    'application.applied': [{type: 'application.applied'}],
    'application.present': [{type: 'application.present'}],
    'list.undoable': [
      {type: 'list.undoable', about: 'removals', count: 1, undo: {type: 'conversations.restore', keys: ['a']}},
    ],
    'conversation.settled': [{type: 'conversation.settled', key: 'a', id: 'a', isOnScreen: true}],
    'list.failed': [{type: 'list.failed', about: 'title:a/title', kind: 'rename', failure}],
    'tool.open': [{type: 'tool.open', tool: 'foo'}],
    'task.submit': [{type: 'task.submit', intent: intent('k')}],
    'player.use': [{type: 'player.use', song: {track: {id: 'a', url: '/a.mp3', title: 'a'}}}],
    'credits.added': [{type: 'credits.added', at: 1, left: 1}],
    'credits.listed': [{type: 'credits.listed', at: 1, left: 1}],
    'credits.bought': [{type: 'credits.bought', applicationId: 'a-1', at: 1}],
    'balance.check': [{type: 'balance.check'}],
    'part.use': [{type: 'part.use', id: 'foo'}],
    [`xstate.done.actor.${''}`]: [{type: 'xstate.done.actor.foo', actorId: 'foo', output: undefined}],
    [`xstate.error.actor.${''}`]: [{type: 'xstate.error.actor.foo', actorId: 'foo', error: new Error('foo')}],
    'tasks.seek': [{type: 'tasks.seek'}],
    'page.shown': [{type: 'page.shown'}],
    'token.renewed': [{type: 'token.renewed'}],
    'connection.restored': [{type: 'connection.restored'}],
    'task.settled': [{type: 'task.settled', tool: 'foo', id: 't-1', status: 'succeeded'}],
    'task.gone': [{type: 'task.gone', tool: 'foo', id: 't-1'}],
    'task.removed': [{type: 'task.removed', tool: 'foo', id: 't-1', isDue: false}],
    'task.unfound': [{type: 'task.unfound', tool: 'foo', id: 't-1', failure}],
    'task.removeFailed': [{type: 'task.removeFailed', tool: 'foo', id: 't-1', failure}],
    'tool.unopened': [{type: 'tool.unopened', tool: 'foo'}],
    'child.restart': sessionChildren.map((child) => ({type: 'child.restart' as const, child})),
  } satisfies EventFixtures<SessionEvent>
  const parts = sessionChildren.map((child) => child.split('/')[0] ?? child)
  const counts = (crashes: SessionContext['crashes']) => sessionChildren.map((child) => crashes[child]?.count ?? 0)
  // one part at a time: the regions do not touch each other, and together they are too many
  const walks = parts.map((part) => (snapshot: {value: unknown; context: SessionContext}) => {
    const {value, context} = snapshot
    const regions = isRecord(value) && isRecord(value.active) ? value.active : {}
    const others = Object.entries(regions).filter(([name]) => name !== part)
    const isMoved = others.some(([, state]) => state === 'broken' || state === 'down')
    return isMoved || counts(context.crashes).filter((count) => count > 0).length > 1
  })
  const {edges, coverage} = describeRules(sessionMachine, {
    // opening the screen of a tool, or a song
    user: ['child.restart', 'tool.open', 'task.submit', 'player.use'],
    input: {user, epoch: 1, host: 'https://foo.test', environment: startEnvironment()},
    events: Object.values(events).flat(),
    outputs: {
      readStored: [
        {conversations: [], tools: []},
        {conversations: [], tools: [], songs: {queue: [{id: 'a', url: '/a.mp3', title: 'a'}], index: 0, position: 0}},
      ],
      findRunning: [[], [{tool: 'foo', running: [{id: 't-1', created_at: 1}]}]],
      'provisioning/chat': [],
      conversations: [],
      tasks: [],
      player: [],
    },
    endless: ['environmentChanges', 'provisioning/chat', 'conversations', 'tasks', 'player'],
    lasting: ['fresh', 'failed', 'old'].map((elsewhere) => ({
      active: {
        provisioning: 'running',
        conversations: 'running',
        tasks: {running: 'working'},
        elsewhere,
        player: {running: 'working'},
      },
    })),
    // what waits for a chart is handed over as a whole
    key: ({context: {crashes, tools, stored, queue}}) => [
      counts(crashes),
      tools.length,
      stored.songs !== undefined,
      queue.some(({to}) => to === 'tasks'),
      queue.some(({to}) => to === 'player'),
    ],
    stop: (snapshot) => walks.every((isElsewhere) => isElsewhere(snapshot)),
  })
  test('every transition is taken', () => {
    expect(coverage.missing(sessionMachine)).toEqual([])
  })
  test('no passing of time asks what runs elsewhere a second time: a look does, or what mends a failed question', () => {
    const asked = edges.filter(
      ({state, nextState}) =>
        state.matches('active') &&
        !state.matches({active: {elsewhere: 'waiting'}}) &&
        !state.matches({active: {elsewhere: 'asking'}}) &&
        nextState.matches({active: {elsewhere: 'asking'}}),
    )
    const by = (elsewhere: 'fresh' | 'old' | 'failed') =>
      new Set(asked.filter(({state}) => state.matches({active: {elsewhere}})).map(({event}) => event.type))
    expect([by('fresh'), by('old')]).toEqual([new Set(), new Set(['page.shown'])])
    const mended = ['tasks.seek', 'provision.ready', 'provision.missing', 'token.renewed', 'connection.restored']
    expect(by('failed')).toEqual(new Set(['page.shown', ...mended]))
  })
  test('a tool in which something runs is in use from then on', () => {
    const found = edges.filter(({event}) => event.type === 'xstate.done.actor.findRunning' && isFound(event))
    expect(found.length).toBeGreaterThan(0)
    expect(found.filter(({nextState}) => nextState.matches({active: {tasks: 'dormant'}}))).toEqual([])
  })
})

/** Counts what a throwing actor leaves behind (security R59). */
test('a broken child leaves no timer behind', () => {
  const clock = new SimulatedClock()
  const child = createMachine({
    context: {ticks: 0},
    after: {1_000: {actions: assign({ticks: 1})}},
    on: {
      foo: {
        actions: () => {
          throw new Error('foo')
        },
      },
    },
  })
  const root = createActor(createMachine({invoke: {id: 'child', src: child, onError: {}}}), {clock}).start()
  const running = root.getSnapshot().children.child
  running?.send({type: 'foo'})
  clock.increment(5_000)
  expect(running?.getSnapshot().status).toBe('error')
  expect(root.getSnapshot().status).toBe('active')
})
