import {Subject} from 'rxjs'
import {describe, expect, test} from 'vitest'
import {
  createActor,
  fromEventObservable,
  fromPromise,
  setup,
  SimulatedClock,
  waitFor,
  type AnyEventObject,
} from 'xstate'
import type {Ask, ConversationChange, ConversationRecord} from '#domain/conversation.ts'
import {conversationListMachine} from '#machines/conversation-list/conversation-list.machine.ts'
import {
  selectActiveConversation,
  selectConversation,
  selectIsMissing,
  selectItems,
} from '#machines/conversation-list/conversation-list.selectors.ts'
import {answeringKeys, liveKeys} from '#machines/conversation-list/conversation-list.rules.ts'
import type {
  ConversationListContext,
  ConversationListEvent,
} from '#machines/conversation-list/conversation-list.types.ts'
import {
  conversationPagesMachine,
  type ConversationPage,
  type ConversationPageInput,
} from '#machines/conversation-pages/conversation-pages.machine.ts'
import {findingMachine} from '#machines/conversation-list/finding.machine.ts'
import {removalMachine} from '#machines/lib/removal.machine.ts'
import {namingMachine} from '#machines/conversation-list/naming.machine.ts'
import {changingMachine} from '#machines/conversation-list/changing.machine.ts'
import {followUpsMachine} from '#machines/follow-ups/follow-ups.machine.ts'
import type {Claim} from '#machines/follow-ups/follow-ups.types.ts'
import {conversationMachine} from '#machines/conversation/conversation.machine.ts'
import type {AnswerInput} from '#domain/answer.ts'
import type {AnswerStreamEvent} from '#machines/conversation/conversation.types.ts'
import {startEnvironment} from './environment-fixture.ts'
import {nobody} from './nobody.ts'
import type {EventFixtures} from './graph.ts'
import {describeRules} from './rules.ts'
import {eventually} from '../eventually.ts'

const environment = startEnvironment()
const settled = (key: string, updatedAt = 1): ConversationRecord => ({
  key,
  id: key,
  model: 'm',
  title: `title of ${key}`,
  updatedAt,
  messages: [
    {role: 'user', content: 'foo'},
    {role: 'assistant', content: 'bar', state: 'finished', id: `m-${key}`},
  ],
})
const running: ConversationRecord = {
  ...settled('run'),
  messages: [
    {role: 'user', content: 'foo'},
    {role: 'assistant', content: 'ba', state: 'answering', id: 'm-run', attempt: 1, seq: 1},
  ],
}
const failure = {code: 'unknown', detail: 'foo'}
const failed = (key: string): ConversationRecord => ({
  ...settled(key),
  messages: [
    ...settled(key).messages,
    {role: 'user', content: 'again?'},
    {role: 'assistant', content: '', state: 'failed', outcome: 'refused', id: `f-${key}`},
  ],
})

/** Its question was refused for want of credits. */
const unpaid = (key: string, updatedAt?: number): ConversationRecord => ({
  ...settled(key, updatedAt),
  messages: [
    {role: 'user', content: `question of ${key}`, unsent: true},
    {
      role: 'assistant',
      content: '',
      id: `key-${key}`,
      unsent: true,
      state: 'failed',
      outcome: 'refused',
      error: {code: 'used_up', message: 'foo'},
    },
  ],
})

/** A question that waits for its turn. */
const waiting: Ask = {question: 'next', references: [], key: 'key-9'}

const events = {
  'credential.ready': [{type: 'credential.ready'}],
  'credential.missing': [{type: 'credential.missing'}],
  'credits.added': [{type: 'credits.added', at: 60}],
  'page.shown': [{type: 'page.shown'}],
  'conversations.refresh': [{type: 'conversations.refresh'}],
  'conversation.create': [{type: 'conversation.create', key: 'new', model: 'm'}],
  'conversation.open': [
    {type: 'conversation.open', key: 'a'},
    {type: 'conversation.open', key: 'unknown'},
  ],
  'conversation.close': [{type: 'conversation.close'}],
  'conversation.rename': [
    {type: 'conversation.rename', key: 'a', title: 'bar'},
    {type: 'conversation.rename', key: 'a', title: ' '},
  ],
  'conversation.retry': [{type: 'conversation.retry', key: 'a', requestKey: 'key-1', at: 5}],
  'conversation.rejected': [{type: 'conversation.rejected', key: 'a', failure}],
  'conversation.remove': [{type: 'conversation.remove', key: 'a'}],
  'conversations.remove': [{type: 'conversations.remove', keys: ['a', 'b']}],
  'conversations.restore': [{type: 'conversations.restore', keys: ['a']}],
  'removals.due': [{type: 'removals.due', keys: ['a', 'b'], deletion: 1}],
  'conversations.mark': [
    {type: 'conversations.mark', changes: [{key: 'a', archived: true}], textId: 'chat.foo'},
    {type: 'conversations.mark', changes: [{key: 'a', pinned: true}]},
  ],
  'conversations.changed': [{type: 'conversations.changed', changes: [{key: 'a', title: 'bar'}]}],
  'service.changed': [{type: 'service.changed', capabilities: ['resume', 'marks']}],
  'connection.restored': [{type: 'connection.restored'}],
  'page.leaving': [{type: 'page.leaving'}],
  'conversation.changed': [
    {type: 'conversation.changed', phase: 'running', record: running},
    {type: 'conversation.changed', phase: 'settled', record: settled('run')},
  ],
  'conversation.heard': [
    {type: 'conversation.heard', id: 'unknown', last: 'm-unknown', isSettled: false},
    {type: 'conversation.heard', id: 'run', last: 'm-run', isSettled: false},
  ],
  'followUps.changed': [
    {type: 'followUps.changed', phase: 'settled', isOwn: true, record: {...settled('run'), followUps: [waiting]}},
    {type: 'followUps.changed', phase: 'running', isOwn: false, record: settled('run')},
  ],
  'followUps.heard': [
    {type: 'followUps.heard', key: 'a', items: [waiting]},
    {type: 'followUps.heard', key: 'unknown', items: []},
  ],
  'removal.undone': [{type: 'removal.undone', key: 'a'}],
  'removal.done': [{type: 'removal.done', key: 'a'}],
  'removal.failed': [{type: 'removal.failed', key: 'a', failure}],
  'finding.settled': [
    {type: 'finding.settled', key: 'unknown', record: settled('unknown')},
    {type: 'finding.settled', key: 'unknown', failure: {...failure, status: 404}},
    {type: 'finding.settled', key: 'unknown', failure: {...failure, lost: true}},
  ],
  'naming.settled': [{type: 'naming.settled', key: 'run', title: 'bar'}],
  'changing.failed': [
    {type: 'changing.failed', previous: [{key: 'a', title: 'foo'}], failure},
    {type: 'changing.failed', previous: [{key: 'a', pinned: false}], failure},
  ],
  [`xstate.error.actor.${''}`]: [
    {type: 'xstate.error.actor.conversation/a', actorId: 'conversation/a', error: new Error('foo')},
  ],
} satisfies EventFixtures<ConversationListEvent>

describe('conversation list', () => {
  const {edges, coverage} = describeRules(conversationListMachine, {
    user: [
      'conversations.refresh',
      'conversation.create',
      'conversation.open',
      'conversation.close',
      'conversation.rename',
      'conversation.retry',
      'conversation.remove',
      'conversations.remove',
      'conversations.restore',
      'conversations.mark',
    ],
    input: {userId: 'u-1', environment, parentRef: nobody},
    inputs: [
      {userId: 'u-1', environment, parentRef: nobody, restored: [settled('a'), running]},
      {userId: 'u-1', environment, parentRef: nobody, restored: [failed('a')]},
      {userId: 'u-1', environment, parentRef: nobody, restored: [unpaid('u')]},
    ],
    events: Object.values(events).flat(),
    limit: 600_000,
    // pages have deadlines of their own
    endless: ['answerFeed', 'environmentChanges', 'pages'],
    outputs: {
      pages: [{records: [settled('a'), settled('b')]}, {records: []}, {records: [settled('a')], failure}],
    },
    key: ({context: {items, active, removing, phases, finding}}) => [
      finding.toSorted(),
      items.map(({key}) => key).toSorted(),
      active,
      removing.toSorted(),
      Object.entries(phases).toSorted(),
    ],
  })
  test('a conversation that is known by two names is one', () => {
    const input = {userId: 'u-1', environment, parentRef: nobody, restored: [settled('a'), running]}
    const list = createActor(conversationListMachine, {input, inspect: coverage.inspect}).start()
    list.send({type: 'conversation.open', key: 'a'})
    list.send({type: 'conversation.changed', phase: 'settled', record: {...settled('a'), key: 'run'}})
    expect(list.getSnapshot().context).toMatchObject({items: [{key: 'a'}], active: 'a', phases: {a: 'settled'}})
    list.stop()
  })
  test('questions that wait leave the marks of a conversation alone', () => {
    const marked = {...settled('a'), pinned: true, labels: ['foo']}
    const input = {userId: 'u-1', environment, parentRef: nobody, restored: [marked]}
    const list = createActor(conversationListMachine, {input, inspect: coverage.inspect}).start()
    const record = {...settled('a'), followUps: [waiting]}
    list.send({type: 'followUps.changed', phase: 'settled', isOwn: true, record})
    expect(list.getSnapshot().context.items).toMatchObject([{pinned: true, labels: ['foo'], followUps: [waiting]}])
    list.stop()
  })
  test('what a server that keeps no marks is not told', () => {
    const input = {userId: 'u-1', environment, parentRef: nobody, restored: [settled('a')]}
    const list = createActor(conversationListMachine, {input, inspect: coverage.inspect}).start()
    const mark = {type: 'conversations.mark', changes: [{key: 'a', pinned: true}]} as const
    expect(list.getSnapshot().can(mark)).toBe(false)
    list.send({type: 'service.changed', capabilities: ['marks']})
    expect(list.getSnapshot().can(mark)).toBe(true)
    list.send(mark)
    expect(list.getSnapshot().context.items).toMatchObject([{key: 'a', pinned: true}])
    list.stop()
  })
  test('every transition is taken', () => expect(coverage.missing(conversationListMachine)).toEqual([]))

  test('what runs survives a failed load and a missing token', () => {
    const failing = edges.filter(
      ({event}) =>
        event.type === 'xstate.error.actor.pages' ||
        // as: the end of an invoked actor has its output
        (event as {output?: {failure?: unknown}}).output?.failure !== undefined ||
        event.type === 'credential.missing',
    )
    expect(failing.length).toBeGreaterThan(0)
    for (const {state, nextState} of failing) {
      expect(nextState.value).toBe('error')
      const kept = state.context.items.filter(({key}) => answeringKeys(state.context).includes(key))
      expect(nextState.context.items).toEqual(expect.arrayContaining(kept))
    }
  })

  test('what has a phase has an actor, also when the last report of a stopped one comes late', () => {
    const orphans = edges.filter(({nextState: {context, children}}) =>
      liveKeys(context).some((key) => !Object.hasOwn(children, `conversation/${key}`)),
    )
    expect(orphans).toEqual([])
    const late = edges.filter(
      ({state, event}) => event.type === 'conversation.changed' && !liveKeys(state.context).includes('run'),
    )
    expect(late.length).toBeGreaterThan(0)
    for (const {nextState} of late) expect(liveKeys(nextState.context)).not.toContain('run')
  })

  test('what no server has stays in a list that cannot be read', () => {
    const unsent: ConversationRecord = {
      key: 'local',
      model: 'm',
      updatedAt: 2,
      messages: [
        {role: 'user', content: 'foo', unsent: true},
        {role: 'assistant', content: '', state: 'failed', outcome: 'refused', unsent: true},
      ],
    }
    const further = {...settled('further'), messages: [...settled('further').messages, ...unsent.messages]}
    const {list, keys} = start([unsent, settled('a'), further])
    list.send({type: 'credential.missing'})
    expect(keys()).toEqual(['local', 'further'])
  })

  test('a deleted conversation never comes back with a list that was on its way', () => {
    const back = edges.filter(({nextState}) =>
      nextState.context.items.some(({key}) => nextState.context.removed.includes(key)),
    )
    expect(back).toEqual([])
  })
})

/** Which conversations have an actor, and in which an answer runs. */
const withKeys = (context: ConversationListContext) => ({
  ...context,
  live: liveKeys(context),
  answering: answeringKeys(context),
})

/** A list whose conversations answer by streams in the hands of the test, below a parent that collects its facts. */
function start(
  restored: ConversationRecord[] = [],
  load: (offset: number) => Promise<ConversationRecord[] | ConversationPage> = async () => [],
  find: (key: string) => Promise<ConversationRecord> = async () => {
    throw new Error('not found')
  },
  unconfirmed: string[] = [],
) {
  const streams = new Map<string, Subject<AnswerStreamEvent>>()
  const calls: string[] = []
  const facts: AnyEventObject[] = []
  const clock = new SimulatedClock()
  const fails = {rename: false, remove: false}
  const openStream = fromEventObservable<AnswerStreamEvent, AnswerInput>(({input}) => {
    const stream = new Subject<AnswerStreamEvent>()
    streams.set(input.exchange.question, stream)
    return stream
  })
  const machine = conversationListMachine.provide({
    actors: {
      pages: conversationPagesMachine.provide({
        actors: {
          getConversations: fromPromise<ConversationPage, ConversationPageInput>(async ({input}) => {
            const loaded = await load(input.offset)
            return Array.isArray(loaded) ? {records: loaded} : loaded
          }),
        },
      }),
      conversation: conversationMachine.provide({
        actors: {
          answerStream: openStream,
          followAnswer: openStream,
          followUps: followUpsMachine.provide({
            actors: {claimFollowUp: fromPromise<Claim, {key: string}>(async ({input: {key}}) => ({key, isOurs: true}))},
          }),
        },
      }),
      finding: findingMachine.provide({
        actors: {
          findConversation: fromPromise<ConversationRecord, {key: string}>(({input}) => {
            calls.push(`find ${input.key}`)
            return find(input.key)
          }),
        },
      }),
      removal: removalMachine.provide({
        actors: {
          remove: fromPromise<void, {id: string}>(async ({input}) => {
            calls.push(`remove ${input.id}`)
            if (fails.remove) throw new Error('foo')
          }),
        },
      }),
      naming: namingMachine.provide({
        actors: {
          findConversation: fromPromise<ConversationRecord, {key: string}>(({input}) => {
            calls.push(`find the name of ${input.key}`)
            return find(input.key)
          }),
        },
      }),
      changing: changingMachine.provide({
        actors: {
          changeConversations: fromPromise<void, {changes: readonly ConversationChange[]}>(
            async ({input: {changes}, signal}) => {
              for (const {key, title, ...marks} of changes)
                calls.push(title === undefined ? `mark ${key} ${JSON.stringify(marks)}` : `rename ${key} ${title}`)
              signal.addEventListener('abort', () => calls.push(`abort ${changes[0]?.title ?? ''}`))
              if (fails.rename) throw new Error('foo')
            },
          ),
        },
      }),
    },
  })
  const parent = setup({actors: {list: machine}}).createMachine({
    invoke: {
      id: 'list',
      src: 'list',
      input: ({self}) => ({userId: 'u-1', environment, parentRef: self, restored, unconfirmed}),
    },
    on: {'*': {actions: ({event}) => void facts.push(event)}},
  })
  const list = createActor(parent, {clock}).start().getSnapshot().children.list
  if (list === undefined) throw new Error('The list did not start')
  const keys = () => selectItems(list.getSnapshot()).map(({key}) => key)
  const ask = (key: string, question: string) =>
    selectConversation(list.getSnapshot(), key)?.send({
      type: 'prompt.submit',
      question,
      references: [],
      key: `key of ${question}`,
      at: 100,
    })
  const answer = (question: string, conversation: string) => {
    const stream = streams.get(question)
    stream?.next({type: 'answer.started', conversation, message: `m-${question}`, attempt: 1})
    stream?.next({
      type: 'answer.received',
      conversation,
      message: `m-${question}`,
      attempt: 1,
      seq: 1,
      text: `answer to ${question}`,
    })
    stream?.next({type: 'answer.completed'})
  }
  return {
    list,
    calls,
    facts,
    clock,
    fails,
    keys,
    ask,
    answer,
    streams,
    context: () => withKeys(list.getSnapshot().context),
  }
}

/** Asked by a page that was left before it heard the name. */
const asked: ConversationRecord = {
  key: 'new',
  model: 'm',
  updatedAt: 1,
  messages: [
    {role: 'user', content: 'foo'},
    {role: 'assistant', content: '', state: 'pending', id: 'key of foo'},
  ],
}
/** The same as the server lists it. */
const theirs: ConversationRecord = {
  key: 'c-1',
  id: 'c-1',
  model: 'm',
  updatedAt: 2,
  messages: [
    {role: 'user', content: 'foo, as the server has it'},
    {role: 'assistant', content: 'ans', state: 'answering', id: 'm-foo', attempt: 1},
  ],
}

describe('conversation list journeys', () => {
  test('a new conversation is listed with its first question and keeps its key when the server names it', () => {
    const {list, keys, ask, answer, context} = start()
    list.send({type: 'conversation.create', key: 'new', model: 'm'})
    expect(keys()).toEqual([])
    ask('new', 'foo')
    expect(keys()).toEqual(['new'])
    expect(context().answering).toEqual(['new'])
    answer('foo', 'c-1')
    expect(context().items).toMatchObject([{key: 'new', id: 'c-1'}])
    list.send({type: 'conversation.open', key: 'c-1'})
    expect(selectActiveConversation(list.getSnapshot())?.getSnapshot().context.key).toBe('new')
    expect(context().live).toEqual(['new'])
  })

  test('a conversation that is made with its question asks it', () => {
    const {list, keys, streams, context} = start()
    const prompt = {type: 'prompt.submit' as const, question: 'foo', references: [], key: 'question', at: 1}
    list.send({type: 'conversation.create', key: 'new', model: 'm', prompt})
    expect(keys()).toEqual(['new'])
    expect(context()).toMatchObject({active: 'new', answering: ['new']})
    expect([...streams.keys()]).toEqual(['foo'])
  })

  test('a question whose page was left before it heard the name is one conversation, with one stream', async () => {
    const {list, keys, answer, streams, clock, context} = start([asked], async () => [theirs])
    list.send({type: 'service.changed', capabilities: ['resume', 'stop', 'idempotency']})
    list.send({type: 'credential.ready'})
    await waitFor(list, (snapshot) => snapshot.matches('success'))
    expect(keys()).toEqual(['new', 'c-1'])
    clock.increment(1_000)
    expect([...streams.values()].map(({observed}) => observed)).toEqual([true, true])
    answer('foo', 'c-1')
    expect([...streams.values()].map(({observed}) => observed)).toEqual([false, false])
    expect(context().items).toMatchObject([{key: 'new', id: 'c-1'}])
    expect(context()).toMatchObject({live: [], answering: []})
  })

  test('such a question hears its name while the record of the server is on screen: that one stays, with its text', async () => {
    const {list, keys, answer, streams, clock, context} = start([asked], async () => [theirs])
    list.send({type: 'service.changed', capabilities: ['resume', 'stop', 'idempotency']})
    list.send({type: 'conversation.open', key: 'c-1'})
    list.send({type: 'credential.ready'})
    await waitFor(list, (snapshot) => snapshot.matches('success'))
    expect(context()).toMatchObject({active: 'c-1', live: ['new', 'c-1']})
    clock.increment(1_000)
    answer('foo', 'c-1')
    expect(keys()).toEqual(['c-1'])
    expect(context().active).toBe('c-1')
    expect(streams.get('foo')?.observed).toBe(false)
    expect(context().live).toEqual(['c-1'])
    expect(streams.get('foo, as the server has it')?.observed).toBe(true)
    expect(selectActiveConversation(list.getSnapshot())?.getSnapshot().context.key).toBe('c-1')
  })

  test('such a question hears its name while that name is on screen and unread: it is what the screen shows', async () => {
    const {list, answer, clock, context} = start([asked], async () => {
      throw new Error('foo')
    })
    list.send({type: 'service.changed', capabilities: ['resume', 'stop', 'idempotency']})
    list.send({type: 'conversation.open', key: 'c-1'})
    list.send({type: 'credential.ready'})
    await waitFor(list, (snapshot) => snapshot.matches('error'))
    list.send({type: 'conversation.create', key: 'new', model: 'm'})
    clock.increment(1_000)
    list.send({type: 'conversation.open', key: 'c-1'})
    answer('foo', 'c-1')
    expect(context()).toMatchObject({active: 'new', live: ['new']})
    expect(selectActiveConversation(list.getSnapshot())?.getSnapshot().context.messages.at(-1)?.content).toBe(
      'answer to foo',
    )
  })

  test('another tab has asked: what is on screen is read and followed, the rest when it has ended, nothing twice', async () => {
    const answered = {...settled('a'), updatedAt: 2, messages: [...settled('a').messages, ...theirs.messages]}
    const {list, calls, streams, context} = start(
      [],
      async () => [settled('a'), settled('b')],
      async () => answered,
    )
    list.send({type: 'service.changed', capabilities: ['resume', 'stop', 'idempotency']})
    list.send({type: 'credential.ready'})
    await waitFor(list, (snapshot) => snapshot.matches('success'))
    const heard = {type: 'conversation.heard', id: 'a', last: 'm-foo'} as const
    list.send({...heard, isSettled: false})
    list.send({...heard, last: 'm-a', isSettled: true})
    expect(calls).toEqual([])
    list.send({type: 'conversation.open', key: 'a'})
    list.send({...heard, isSettled: false})
    list.send({...heard, isSettled: false})
    expect(calls).toEqual(['find a'])
    await waitFor(list, ({context: held}) => answeringKeys(held).includes('a'))
    list.send({...heard, isSettled: true})
    expect(calls).toEqual(['find a'])
    expect(selectActiveConversation(list.getSnapshot())?.getSnapshot().context.messages).toMatchObject([
      ...settled('a').messages,
      {role: 'user', content: 'foo, as the server has it'},
    ])
    // followed, by no stream of its own
    expect([...streams.keys()]).toEqual(['foo, as the server has it'])
    list.send({type: 'conversation.heard', id: 'b', last: 'm-b2', isSettled: true})
    await waitFor(list, ({context: {finding}}) => finding.length === 0)
    expect(calls).toEqual(['find a', 'find b'])
    expect(context().failure).toBeUndefined()
  })

  test('what another tab told of during an own answer is read when that has ended, unless it is known by then', async () => {
    const {list, calls} = start(
      [],
      async () => [settled('a')],
      async () => settled('a'),
    )
    list.send({type: 'credential.ready'})
    await waitFor(list, (snapshot) => snapshot.matches('success'))
    const changed = (phase: 'running' | 'settled', last: string) =>
      list.send({
        type: 'conversation.changed',
        phase,
        record: {
          ...settled('a'),
          messages: [
            {role: 'assistant', content: 'foo', id: last, state: phase === 'running' ? 'answering' : 'finished'},
          ],
        },
      })
    list.send({type: 'conversation.open', key: 'a'})
    changed('running', 'm-own')
    list.send({type: 'conversation.heard', id: 'a', last: 'm-own', isSettled: true})
    changed('settled', 'm-own')
    expect(calls).toEqual([])
    changed('running', 'm-next')
    list.send({type: 'conversation.heard', id: 'a', last: 'm-elsewhere', isSettled: true})
    expect(calls).toEqual([])
    // the other tab follows the own answer now and reports that one too
    list.send({type: 'conversation.heard', id: 'a', last: 'm-next', isSettled: false})
    expect(calls).toEqual([])
    changed('settled', 'm-next')
    expect(calls).toEqual(['find a'])
    expect(list.getSnapshot().context.missed).toEqual([])
  })

  test('what another tab told of while a copy is on its way is read after it, once, if the copy lacks it', async () => {
    const {list, calls, context} = start(
      [],
      async () => [settled('a')],
      async () => settled('a', 2),
    )
    list.send({type: 'credential.ready'})
    await waitFor(list, (snapshot) => snapshot.matches('success'))
    for (const last of ['m-first', 'm-elsewhere', 'm-a'])
      list.send({type: 'conversation.heard', id: 'a', last, isSettled: true})
    expect(calls).toEqual(['find a'])
    await waitFor(list, () => calls.length > 1)
    await waitFor(list, ({context: {finding}}) => finding.length === 0)
    expect(calls).toEqual(['find a', 'find a'])
    expect(context().missed).toEqual([])
  })

  test('a question that the server refused to replace: the conversation is read again', async () => {
    const {list, calls} = start(
      [],
      async () => [settled('a')],
      async () => settled('a'),
    )
    list.send({type: 'credential.ready'})
    await waitFor(list, (snapshot) => snapshot.matches('success'))
    list.send({type: 'conversation.open', key: 'a'})
    list.send({type: 'conversation.rejected', key: 'a', failure})
    expect(calls).toEqual(['find a'])
  })

  test('what another tab told of cannot be found: the list stays as it is', async () => {
    const {list, calls, context} = start(
      [],
      async () => [settled('a')],
      async () => {
        throw Object.assign(new Error('foo'), {name: 'TypeError'})
      },
    )
    list.send({type: 'credential.ready'})
    await waitFor(list, (snapshot) => snapshot.matches('success'))
    list.send({type: 'conversation.heard', id: 'a', last: 'm-a2', isSettled: true})
    expect(context().finding).toEqual(['a'])
    await waitFor(list, ({context: {finding}}) => finding.length === 0)
    expect(calls).toEqual(['find a'])
    expect(list.getSnapshot().matches('success')).toBe(true)
    expect(context().items).toMatchObject([{key: 'a'}])
  })

  test('other tabs hear of an answer that began and of its end, by the names of the server', () => {
    const {list, ask, answer} = start()
    const heard: unknown[] = []
    list.on('conversation.heard', (fact) => heard.push(fact))
    list.send({type: 'conversation.create', key: 'new', model: 'm'})
    ask('new', 'foo')
    expect(heard).toEqual([])
    answer('foo', 'c-1')
    expect(heard).toEqual(
      [false, true].map((isSettled) => ({type: 'conversation.heard', id: 'c-1', last: 'm-foo', isSettled})),
    )
  })

  test('leaving stops nothing: the answer goes on, lands in its conversation and is marked unread', async () => {
    const {list, ask, answer, context} = start([], async () => [settled('a'), settled('b')])
    list.send({type: 'credential.ready'})
    await waitFor(list, (snapshot) => snapshot.matches('success'))
    list.send({type: 'conversation.open', key: 'a'})
    ask('a', 'one')
    list.send({type: 'conversation.open', key: 'b'})
    ask('b', 'two')
    expect(context().answering).toEqual(['a', 'b'])
    answer('one', 'a')
    answer('two', 'b')
    const texts = context().items.map(({key, messages}) => [key, messages.at(-1)?.content])
    expect(texts).toEqual([
      ['a', 'answer to one'],
      ['b', 'answer to two'],
    ])
    expect(context()).toMatchObject({answering: [], unread: ['a'], live: ['b']})
    list.send({type: 'conversation.open', key: 'a'})
    expect(context()).toMatchObject({unread: [], live: ['a']})
  })

  test('a deletion waits eight seconds, can be taken back, and is sent once', async () => {
    const {list, clock, keys, calls, context} = start([settled('a'), settled('b')])
    list.send({type: 'conversation.remove', key: 'a'})
    expect(keys()).toEqual(['b'])
    list.send({type: 'conversations.restore', keys: ['a']})
    expect(keys()).toEqual(['a', 'b'])
    clock.increment(60_000)
    expect(calls).toEqual([])
    list.send({type: 'conversation.remove', key: 'a'})
    clock.increment(8_000)
    await waitFor(list, (snapshot) => snapshot.context.removed.length === 1)
    expect(calls).toEqual(['remove a'])
    expect(context().items.map(({key}) => key)).toEqual(['b'])
  })

  test('several deletions are one: one notice, one undo, and all are sent in one moment', async () => {
    const {list, clock, keys, calls, facts, context} = start([settled('a'), settled('b'), settled('c')])
    list.send({type: 'conversation.open', key: 'a'})
    list.send({type: 'conversations.remove', keys: ['a', 'b', 'unknown'], textId: 'chat.foo'})
    const undo = {type: 'conversations.restore', keys: ['a', 'b']} as const
    expect(facts).toEqual([{type: 'list.undoable', textId: 'chat.foo', count: 2, undo}])
    expect([keys(), context().active]).toEqual([['c'], undefined])
    list.send(undo)
    expect(keys()).toEqual(['a', 'b', 'c'])
    clock.increment(8_000)
    expect(calls).toEqual([])
    list.send({type: 'conversations.remove', keys: ['a', 'b']})
    clock.increment(7_999)
    expect(calls).toEqual([])
    clock.increment(1)
    // in the same moment, so that the server is told with one call
    expect(calls).toEqual(['remove a', 'remove b'])
    await waitFor(list, (snapshot) => snapshot.context.removed.length === 2)
  })

  test('a deletion that was taken back gives a later one of the same conversations its whole time', () => {
    const {list, clock, calls} = start([settled('a'), settled('b')])
    const remove = (...keys: string[]) => list.send({type: 'conversations.remove', keys})
    const restore = (...keys: string[]) => list.send({type: 'conversations.restore', keys})
    remove('a', 'b')
    restore('a', 'b')
    clock.increment(2_000)
    remove('a')
    clock.increment(2_000)
    restore('a')
    remove('a', 'b')
    clock.increment(7_999)
    expect(calls).toEqual([])
    clock.increment(1)
    expect(calls).toEqual(['remove a', 'remove b'])
  })

  test('of a deletion that was taken back in part the rest goes at its time, and what is deleted again at its own', () => {
    const {list, clock, calls} = start([settled('a'), settled('b')])
    list.send({type: 'conversations.remove', keys: ['a', 'b']})
    list.send({type: 'conversations.restore', keys: ['a']})
    clock.increment(2_000)
    list.send({type: 'conversation.remove', key: 'a'})
    clock.increment(6_000)
    expect(calls).toEqual(['remove b'])
    clock.increment(2_000)
    expect(calls).toEqual(['remove b', 'remove a'])
  })

  test('a deletion that failed early gives a later one of the same conversations its whole time', async () => {
    const {list, clock, calls, fails} = start([settled('a'), settled('b')])
    fails.remove = true
    list.send({type: 'conversations.remove', keys: ['a', 'b']})
    list.send({type: 'page.leaving'})
    await waitFor(list, (snapshot) => snapshot.context.removing.length === 0)
    clock.increment(2_000)
    list.send({type: 'conversation.remove', key: 'a'})
    clock.increment(7_999)
    expect(calls).toEqual(['remove a', 'remove b'])
    clock.increment(1)
    expect(calls).toEqual(['remove a', 'remove b', 'remove a'])
  })

  test('marks show at once, are told to other tabs, and can be taken back', async () => {
    const {list, calls, facts, context} = start([settled('a'), settled('b')])
    const told: unknown[] = []
    list.on('conversations.changed', (fact) => told.push(fact))
    list.send({type: 'service.changed', capabilities: ['marks']})
    list.send({
      type: 'conversations.mark',
      changes: [
        {key: 'a', archived: true},
        {key: 'b', archived: true, labels: ['foo']},
      ],
      textId: 'chat.foo',
    })
    expect(context().items).toMatchObject([{archived: true}, {archived: true, labels: ['foo']}])
    expect(calls).toEqual(['mark a {"archived":true}', 'mark b {"archived":true,"labels":["foo"]}'])
    const back = [
      {key: 'a', archived: false},
      {key: 'b', archived: false, labels: []},
    ]
    const undo = {type: 'conversations.mark' as const, changes: back}
    expect(facts).toEqual([{type: 'list.undoable', textId: 'chat.foo', count: 2, undo}])
    list.send(undo)
    expect(context().items).toMatchObject(back)
    expect(told).toEqual([
      {
        type: 'conversations.changed',
        changes: [
          {key: 'a', archived: true},
          {key: 'b', archived: true, labels: ['foo']},
        ],
      },
      {type: 'conversations.changed', changes: back},
    ])
  })

  test('refused marks are taken back, here and in other tabs, and it is told', async () => {
    const {list, fails, facts, context} = start([settled('a')])
    const told: unknown[] = []
    list.on('conversations.changed', ({changes}) => told.push(changes))
    list.send({type: 'service.changed', capabilities: ['marks']})
    fails.rename = true
    list.send({type: 'conversations.mark', changes: [{key: 'a', pinned: true}]})
    await waitFor(list, (snapshot) => snapshot.context.items[0]?.pinned === false)
    expect(facts).toMatchObject([{type: 'list.failed', kind: 'mark'}])
    expect(told).toEqual([[{key: 'a', pinned: true}], [{key: 'a', pinned: false}]])
    expect(context().items).toHaveLength(1)
  })

  test('an answer leaves the marks of its conversation as they are', () => {
    const {list, context, ask, answer} = start([{...settled('a'), pinned: true, labels: ['foo']}])
    list.send({type: 'conversation.open', key: 'a'})
    ask('a', 'bar')
    answer('bar', 'a')
    expect(context().items).toMatchObject([{key: 'a', pinned: true, labels: ['foo']}])
    expect(context().items[0]?.messages.length).toBeGreaterThan(2)
  })

  test('taking back the deletion of an answering conversation finds its answer again; another deletion stays', async () => {
    const other: ConversationRecord = {...running, key: 'other', id: 'other'}
    const {list, context} = start([running, other], async () => [running, other])
    list.send({type: 'credential.ready'})
    await waitFor(list, (snapshot) => snapshot.matches('success'))
    expect(context().live).toEqual(['run', 'other'])
    list.send({type: 'conversation.remove', key: 'run'})
    list.send({type: 'conversation.remove', key: 'other'})
    expect(context()).toMatchObject({live: [], answering: []})
    list.send({type: 'conversations.restore', keys: ['run']})
    expect(context()).toMatchObject({live: ['run'], answering: ['run'], removing: ['other']})
    expect(selectConversation(list.getSnapshot(), 'run')?.getSnapshot().hasTag('streaming')).toBe(true)
  })

  test('a long list is read page by page, each with a deadline of its own', async () => {
    const give: ((page: ConversationPage) => void)[] = []
    const asked: number[] = []
    const {list, clock, keys} = start([], (offset) => {
      asked.push(offset)
      return new Promise<ConversationPage>((resolve) => give.push(resolve))
    })
    list.send({type: 'credential.ready'})
    const next = (count: number) => eventually(() => expect(asked).toHaveLength(count))
    clock.increment(15_000)
    give[0]?.({records: [settled('a')], next: 1})
    await next(2)
    clock.increment(15_000)
    give[1]?.({records: [settled('a'), settled('b')], next: 3})
    await next(3)
    expect(keys()).toEqual([])
    clock.increment(15_000)
    give[2]?.({records: [settled('c')]})
    await waitFor(list, (snapshot) => snapshot.matches('success'))
    expect([keys(), asked]).toEqual([
      ['a', 'b', 'c'],
      [0, 1, 3],
    ])
  })

  test('a page without an answer fails the whole; reading again begins at the start', async () => {
    const asked: number[] = []
    const {list, clock, context} = start([], (offset) => {
      asked.push(offset)
      return offset === 0
        ? Promise.resolve<ConversationPage>({records: [settled('a')], next: 1})
        : new Promise<ConversationPage>(() => {})
    })
    list.send({type: 'credential.ready'})
    await eventually(() => expect(asked).toHaveLength(2))
    clock.increment(20_000)
    expect(list.getSnapshot().value).toBe('error')
    expect(context()).toMatchObject({items: [], failure: {code: 'timeout'}})
    list.send({type: 'conversations.refresh'})
    expect(asked).toEqual([0, 1, 0])
  })

  test('a server that sends the same page again is believed', async () => {
    const {list, keys} = start([], async () => ({records: [settled('a')], next: 1}))
    list.send({type: 'credential.ready'})
    await waitFor(list, (snapshot) => snapshot.matches('success'))
    expect(keys()).toEqual(['a'])
  })

  test('closing the page sends what was deleted', () => {
    const {list, calls} = start([settled('a')])
    list.send({type: 'conversation.remove', key: 'a'})
    list.send({type: 'page.leaving'})
    expect(calls).toEqual(['remove a'])
  })

  test('a deletion whose answer an earlier page did not see is told again, and its conversation stays away', async () => {
    const kept = {...settled('a'), key: 'made here'}
    const load = async () => [settled('a'), settled('b')]
    const {list, calls, keys} = start([kept, settled('b')], load, undefined, ['a', 'gone'])
    list.send({type: 'page.leaving'})
    list.send({type: 'conversations.restore', keys: ['made here']})
    expect(keys()).toEqual(['b'])
    expect(calls).toEqual([])
    list.send({type: 'credential.ready'})
    await waitFor(list, (snapshot) => snapshot.matches('success'))
    expect(keys()).toEqual(['b'])
    await waitFor(list, (snapshot) => snapshot.context.removed.length === 3)
    expect(calls).toEqual(['remove a', 'remove gone'])
    list.send({type: 'credential.ready'})
    await waitFor(list, (snapshot) => snapshot.matches('success'))
    expect(calls).toHaveLength(2)
    expect(keys()).toEqual(['b'])
  })

  test('a refused deletion brings the conversation back and says so', async () => {
    const {list, clock, keys, fails, facts} = start([settled('a')])
    fails.remove = true
    list.send({type: 'conversation.remove', key: 'a'})
    clock.increment(8_000)
    await waitFor(list, (snapshot) => snapshot.context.removing.length === 0)
    expect(keys()).toEqual(['a'])
    expect(facts.at(-1)).toMatchObject({type: 'list.failed', kind: 'remove'})
  })

  test('a failed question is asked again from anywhere, once, in the place of the one that failed', () => {
    const unsent = {...failed('a'), messages: failed('a').messages.map((message) => ({...message, unsent: true}))}
    const {list, context, streams, answer} = start([{...unsent, id: undefined}, settled('b')])
    list.send({type: 'conversation.open', key: 'b'})
    list.send({type: 'conversation.retry', key: 'b', requestKey: 'key-1', at: 5})
    expect(context().live).toEqual(['b'])
    list.send({type: 'conversation.retry', key: 'a', requestKey: 'key-1', at: 5})
    list.send({type: 'conversation.retry', key: 'a', requestKey: 'key-2', at: 6})
    expect(context()).toMatchObject({active: 'b', answering: ['a'], live: ['b', 'a']})
    expect([...streams.keys()]).toEqual(['again?'])
    answer('again?', 'c-1')
    expect(context()).toMatchObject({answering: [], live: ['b'], unread: ['a']})
    const {messages} = context().items.find(({key}) => key === 'a') ?? {messages: []}
    expect(messages.map(({content}) => content)).toEqual(['foo', 'bar', 'again?', 'answer to again?'])
  })

  test('questions refused for want of credits go out when there are some, on screen or not, once', () => {
    const {list, context, streams, answer} = start([
      unpaid('shown', 9_000),
      unpaid('other', 9_000),
      unpaid('old', 1_000),
      failed('b'),
    ])
    list.send({type: 'conversation.open', key: 'shown'})
    list.send({type: 'credits.added', at: 9_500})
    list.send({type: 'credits.added', at: 9_501})
    expect([...streams.keys()].toSorted()).toEqual(['question of other', 'question of shown'])
    expect(context()).toMatchObject({answering: ['shown', 'other'], live: ['shown', 'other']})
    answer('question of other', 'other')
    expect(context()).toMatchObject({answering: ['shown'], live: ['shown'], unread: ['other']})
  })

  test('a page that is looked at again asks for the balance while a question waits for credits', () => {
    for (const [items, asked] of [
      [[unpaid('a')], [{type: 'balance.check'}]],
      [[failed('a')], []],
    ] as const) {
      const {list, facts} = start([...items])
      list.send({type: 'page.shown'})
      expect(facts).toEqual(asked)
    }
  })

  test('a question that cannot be asked again says so and stays as it was', async () => {
    const {list, context, facts} = start([failed('a')])
    list.send({type: 'conversation.retry', key: 'a', requestKey: 'key-1', at: 5})
    await waitFor(list, (snapshot) => liveKeys(snapshot.context).length === 0)
    expect(context().items).toEqual([failed('a')])
    expect(facts).toEqual([{type: 'list.failed', kind: 'retry', failure: expect.objectContaining({code: 'unknown'})}])
  })

  test('what cannot be asked again in the thread on screen is told by the thread', async () => {
    const {list, facts} = start([failed('a')])
    list.send({type: 'conversation.open', key: 'a'})
    list.send({type: 'conversation.retry', key: 'a', requestKey: 'key-1', at: 5})
    const thread = selectConversation(list.getSnapshot(), 'a')
    if (thread === undefined) throw new Error('It is not open')
    await waitFor(thread, (snapshot) => snapshot.context.rejection !== undefined)
    expect([facts, liveKeys(list.getSnapshot().context)]).toEqual([[], ['a']])
  })

  test('the name that the server finds after the first answer is asked for until it is there, in list and thread', async () => {
    const names: (string | undefined)[] = [undefined, 'Foo']
    const find = async () => ({...settled('c-1'), title: names.shift()})
    const {list, context, clock, calls, ask, answer} = start([], undefined, find)
    list.send({type: 'service.changed', capabilities: ['naming']})
    list.send({type: 'conversation.create', key: 'new', model: 'm'})
    ask('new', 'foo')
    answer('foo', 'c-1')
    expect(calls).toEqual([])
    clock.increment(1_000)
    expect(context().items[0]?.title).toBeUndefined()
    await eventually(() => {
      clock.increment(2_000)
      expect(context().items[0]?.title).toBe('Foo')
    })
    expect(selectConversation(list.getSnapshot(), 'new')?.getSnapshot().context.title).toBe('Foo')
    expect(calls).toEqual(['find the name of c-1', 'find the name of c-1'])
    ask('new', 'bar')
    answer('bar', 'c-1')
    clock.increment(60_000)
    expect(calls).toHaveLength(2)
  })

  test('a name that the user gave meanwhile stays', async () => {
    const {list, context, clock, ask, answer} = start([], undefined, async () => settled('c-1'))
    list.send({type: 'service.changed', capabilities: ['naming']})
    list.send({type: 'conversation.create', key: 'new', model: 'm'})
    ask('new', 'foo')
    answer('foo', 'c-1')
    list.send({type: 'conversation.rename', key: 'new', title: 'Mine'})
    clock.increment(1_000)
    await waitFor(list, (snapshot) => snapshot.children['naming/c-1']?.getSnapshot().status !== 'active')
    expect(context().items[0]?.title).toBe('Mine')
  })

  test('where the server names nothing, or there is no model, nobody asks for a name', () => {
    const {list, clock, calls, ask, answer, streams} = start()
    list.send({type: 'conversation.create', key: 'new', model: 'm'})
    ask('new', 'foo')
    answer('foo', 'c-1')
    list.send({type: 'service.changed', capabilities: ['naming']})
    list.send({type: 'conversation.create', key: 'other', model: 'm'})
    ask('other', 'bar')
    streams.get('bar')?.next({type: 'answer.started', conversation: 'c-2', message: 'm', attempt: 1, sandbox: true})
    streams.get('bar')?.next({type: 'answer.completed'})
    clock.increment(60_000)
    expect(calls).toEqual([])
  })

  test('a new title shows at once and goes back when it is refused', async () => {
    const {list, fails, context, calls} = start([settled('a')])
    list.send({type: 'conversation.rename', key: 'a', title: ' bar '})
    expect(context().items[0]?.title).toBe('bar')
    expect(calls).toEqual(['rename a bar'])
    fails.rename = true
    list.send({type: 'conversation.rename', key: 'a', title: 'baz'})
    expect(context().items[0]?.title).toBe('baz')
    await waitFor(list, (snapshot) => snapshot.context.items[0]?.title === 'bar')
  })

  test('of two quick titles the first is called off: its failure brings nothing back', async () => {
    const {list, fails, context, calls, facts} = start([settled('a')])
    fails.rename = true
    list.send({type: 'conversation.rename', key: 'a', title: 'bar'})
    fails.rename = false
    list.send({type: 'conversation.rename', key: 'a', title: 'baz'})
    expect(calls).toEqual(['rename a bar', 'abort bar', 'rename a baz'])
    await waitFor(list, (snapshot) => snapshot.children['renaming/a']?.getSnapshot().status !== 'active')
    expect([context().items[0]?.title, facts]).toEqual(['baz', []])
    list.send({type: 'conversation.rename', key: 'a', title: 'qux'})
    expect(calls.at(-1)).toBe('rename a qux')
  })

  test('an answer that ran when the page was left is found again once the list is read', async () => {
    const {list, clock, streams} = start([running], async () => [running])
    list.send({type: 'service.changed', capabilities: ['resume']})
    list.send({type: 'credential.ready'})
    await waitFor(list, (snapshot) => snapshot.matches('success'))
    clock.increment(1_000)
    expect([...streams.keys()]).toEqual(['foo'])
  })

  test('a deep link to what the list lacks is asked for on the server, once', async () => {
    const {list, calls, context} = start(
      [],
      async () => [settled('a')],
      async (key) => settled(key),
    )
    list.send({type: 'conversation.open', key: 'unlisted'})
    list.send({type: 'credential.ready'})
    await waitFor(list, (snapshot) => liveKeys(snapshot.context).includes('unlisted'))
    expect(selectActiveConversation(list.getSnapshot())?.getSnapshot().context.id).toBe('unlisted')
    expect([calls, context().finding]).toEqual([['find unlisted'], []])
  })

  test('a deep link that no contact can follow is not called missing; it is tried again with the list', async () => {
    let isDown = true
    const {list, calls} = start(
      [],
      async () => [settled('a')],
      async (key) => {
        if (isDown) throw Object.assign(new Error('foo'), {code: 'unknown', detail: 'Failed to fetch', lost: true})
        return settled(key)
      },
    )
    list.send({type: 'credential.ready'})
    await waitFor(list, (snapshot) => snapshot.matches('success'))
    list.send({type: 'conversation.open', key: 'unlisted'})
    await waitFor(list, (snapshot) => snapshot.matches('error'))
    expect(selectIsMissing(list.getSnapshot())).toBe(false)
    isDown = false
    list.send({type: 'conversations.refresh'})
    await waitFor(list, (snapshot) => liveKeys(snapshot.context).includes('unlisted'))
    expect(calls).toEqual(['find unlisted', 'find unlisted'])
  })

  test('a deep link to a conversation nobody knows is missing, not empty', async () => {
    const {list} = start([], async () => [settled('a')])
    list.send({type: 'conversation.open', key: 'unknown'})
    expect(selectIsMissing(list.getSnapshot())).toBe(false)
    list.send({type: 'credential.ready'})
    await waitFor(list, selectIsMissing)
    list.send({type: 'conversation.open', key: 'a'})
    expect(selectIsMissing(list.getSnapshot())).toBe(false)
  })

  test('a conversation that breaks leaves the list and its siblings alone, and opens again', () => {
    const {list, context} = start([settled('a'), settled('b')])
    list.send({type: 'conversation.open', key: 'a'})
    list.send({type: 'xstate.error.actor.conversation/a', actorId: 'conversation/a', error: new Error('foo')})
    expect(context()).toMatchObject({live: []})
    list.send({type: 'conversation.open', key: 'a'})
    expect(context()).toMatchObject({live: ['a']})
  })
})

describe('questions that wait for their turn', () => {
  const running: ConversationRecord = {
    key: 'a',
    id: 'a',
    model: 'm',
    updatedAt: 5,
    messages: [
      {role: 'user', content: 'foo'},
      {role: 'assistant', content: 'ba', state: 'answering', id: 'm-a', attempt: 1, seq: 1},
    ],
  }

  test('go out off the screen too, and the conversation keeps its actor until then', async () => {
    const {list, streams, context} = start([{...settled('a'), followUps: [waiting]}], async () => [settled('a')])
    list.send({type: 'credential.ready'})
    await expect.poll(() => streams.get('next')).toBeDefined()
    expect(context().answering).toEqual(['a'])
    expect(context().items[0]?.followUps).toBeUndefined()
  })

  test('are held after a failure, without an actor off the screen, and with one when it is opened', async () => {
    const {list, streams, context} = start([{...failed('a'), followUps: [waiting]}], async () => [failed('a')])
    list.send({type: 'credential.ready'})
    await waitFor(list, (snapshot) => snapshot.matches('success'))
    expect(context().live).toEqual([])
    list.send({type: 'conversation.open', key: 'a'})
    expect(context().live).toEqual(['a'])
    expect(context().answering).toEqual([])
    expect(context().items[0]?.followUps).toEqual([waiting])
    expect([...streams.keys()]).toEqual([])
  })

  test('are the same in all tabs', async () => {
    const {list, ask, context} = start([running, settled('b')], async () => [settled('b')])
    list.send({type: 'credential.ready'})
    await waitFor(list, (snapshot) => snapshot.matches('success'))
    const told: unknown[] = []
    list.on('followUps.heard', (fact) => told.push(fact))
    list.send({type: 'conversation.open', key: 'a'})
    ask('a', 'and then?')
    const added = {question: 'and then?', references: [], key: 'key of and then?'}
    expect(told).toEqual([{type: 'followUps.heard', key: 'a', items: [added]}])
    list.send({type: 'followUps.heard', key: 'a', items: [waiting, added]})
    list.send({type: 'followUps.heard', key: 'b', items: [waiting]})
    expect(told).toHaveLength(1)
    const followUps = Object.fromEntries(context().items.map((item) => [item.key, item.followUps]))
    expect(followUps).toEqual({a: [waiting, added], b: [waiting]})
  })
})
