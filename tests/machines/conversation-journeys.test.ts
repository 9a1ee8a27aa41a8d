import {Subject} from 'rxjs'
import {describe, expect, test} from 'vitest'
import {createActor, fromEventObservable, fromPromise, SimulatedClock, waitFor} from 'xstate'
import type {Conversation} from '#contract/chat.ts'
import type {ChatCapability} from '#contract/management.ts'
import type {ConversationRecord, RecordMessage} from '#domain/conversation.ts'
import {lostContact} from '#domain/failure.ts'
import {conversationMachine} from '#machines/conversation/conversation.machine.ts'
import {selectItems, followUpsMachine} from '#machines/follow-ups/follow-ups.machine.ts'
import type {Claim} from '#machines/follow-ups/follow-ups.types.ts'
import {selectCanStop, selectRecord} from '#machines/conversation/conversation.selectors.ts'
import type {AnswerInput} from '#domain/answer.ts'
import type {
  AnswerStreamEvent,
  ConversationEmitted,
  ConversationEvent,
  StopInput,
  StoppedAnswer,
  TruncateInput,
} from '#machines/conversation/conversation.types.ts'
import type {RenewalInput} from '#machines/lib/renewal.ts'
import {startEnvironment} from './environment-fixture.ts'
import {nobody} from './nobody.ts'
import {outcomeWord, stateWord} from './conversation-words.ts'

const fresh: ConversationRecord = {key: 'k', model: 'm', messages: [], updatedAt: 0}
const ask: ConversationEvent = {type: 'prompt.submit', question: 'foo', references: [], key: 'key-1', at: 10}
const started = {type: 'answer.started', conversation: 'c-1', message: 'm-1', attempt: 1} as const
const delta = (seq: number, text: string) =>
  ({type: 'answer.received', conversation: 'c-1', message: 'm-1', attempt: 1, seq, from: seq, text}) as const

const unreachable = () => Object.assign(new Error('foo'), lostContact('foo'))

type Options = {
  record?: ConversationRecord
  capabilities?: ChatCapability[]
  stop?: () => Promise<StoppedAnswer>
  retrieve?: () => Promise<Conversation>
  truncate?: () => Promise<void>
  renew?: () => Promise<void>
}

/** A conversation whose stream is in the hands of the test. Every opened stream is one entry of `opened`. */
function start(options: Options = {}) {
  const {record = fresh, capabilities = []} = options
  const never = <T>() => new Promise<T>(() => {})
  const opened: {input: AnswerInput; stream: Subject<AnswerStreamEvent>}[] = []
  const followed: typeof opened = []
  const stops: StopInput[] = []
  const truncations: TruncateInput[] = []
  const logged: unknown[] = []
  const clock = new SimulatedClock()
  const machine = conversationMachine.provide({
    actors: {
      answerStream: fromEventObservable<AnswerStreamEvent, AnswerInput>(({input}) => {
        const stream = new Subject<AnswerStreamEvent>()
        opened.push({input, stream})
        return stream
      }),
      followAnswer: fromEventObservable<AnswerStreamEvent, AnswerInput>(({input}) => {
        const stream = new Subject<AnswerStreamEvent>()
        followed.push({input, stream})
        return stream
      }),
      stopAnswer: fromPromise<StoppedAnswer, StopInput>(({input}) => {
        stops.push(input)
        return (options.stop ?? never)()
      }),
      retrieveConversation: fromPromise<Conversation, {conversation: string}>(() => (options.retrieve ?? never)()),
      truncateConversation: fromPromise<void, TruncateInput>(({input}) => {
        truncations.push(input)
        return (options.truncate ?? never)()
      }),
      followUps: followUpsMachine.provide({
        actors: {claimFollowUp: fromPromise<Claim, {key: string}>(async ({input: {key}}) => ({key, isOurs: true}))},
      }),
      renewCredential: fromPromise<void, RenewalInput>(() => (options.renew ?? never)()),
    },
    actions: {logStopFailure: (_, {error}) => logged.push(error)},
  })
  const environment = startEnvironment()
  const actor = createActor(machine, {input: {record, capabilities, environment, parentRef: nobody}, clock}).start()
  const stream = () => {
    const last = opened.at(-1)
    if (last === undefined) throw new Error('No stream was opened')
    return last.stream
  }
  return {
    actor,
    environment,
    clock,
    opened,
    followed,
    stops,
    truncations,
    logged,
    stream,
    value: () => actor.getSnapshot().value,
  }
}

describe('a question that another page was quicker than', () => {
  const history: RecordMessage[] = [
    {role: 'user', content: 'one'},
    {role: 'assistant', content: 'first', id: 'm-0', attempt: 1, state: 'finished'},
  ]
  const theirs: RecordMessage[] = [
    {role: 'user', content: 'quick'},
    {role: 'assistant', content: 'ba', id: 'm-1', attempt: 1, state: 'answering'},
  ]
  const record: ConversationRecord = {key: 'k', id: 'c-1', model: 'm', messages: history, updatedAt: 0}
  const occupied = Object.assign(new Error('foo'), {code: 'duplication', detail: 'foo', status: 409})
  const isYielding = ({value}: {value: unknown}) => JSON.stringify(value).startsWith('{"yielding"')
  const submit = (options: Options) => {
    const started = start({record, capabilities: ['resume', 'stop', 'idempotency'], ...options})
    started.actor.send(ask)
    started.stream().error(occupied)
    expect(isYielding(started.actor.getSnapshot())).toBe(true)
    return started
  }
  const answered = (end: Partial<RecordMessage>): Conversation => ({
    id: 'c-1',
    messages: [...history, ...theirs.map((message) => (message.role === 'user' ? message : {...message, ...end}))],
  })

  test('waits below that answer, is stored with it, and is asked next with its own key', async () => {
    const {actor, clock, opened, followed} = submit({retrieve: async () => answered({})})
    clock.increment(30_000)
    await waitFor(actor, (snapshot) => !isYielding(snapshot))
    const waits = [{question: 'foo', references: [], key: 'key-1'}]
    expect(selectItems(actor.getSnapshot().context.followUps.getSnapshot())).toEqual(waits)
    const stored = selectRecord(actor.getSnapshot())
    expect(stored.messages.map(({content}) => content)).toEqual(['one', 'first', 'quick', ''])
    expect(stored.followUps).toEqual(waits)
    const again = start({record: stored, capabilities: ['resume', 'stop', 'idempotency']})
    expect(selectRecord(again.actor.getSnapshot())).toEqual(stored)

    expect(followed.at(-1)?.input).toMatchObject({exchange: {message: 'm-1'}})
    followed.at(-1)?.stream.next({...started, message: 'm-1'})
    followed.at(-1)?.stream.next(delta(1, 'bar'))
    followed.at(-1)?.stream.next({type: 'answer.completed'})
    await waitFor(actor, (snapshot) => snapshot.matches('asking'))
    expect(opened.at(-1)?.input).toMatchObject({request: 'ask', exchange: {question: 'foo', key: 'key-1'}})
    expect(actor.getSnapshot().context.messages.map(({content}) => content)).toEqual([
      'one',
      'first',
      'quick',
      'bar',
      'foo',
    ])
  })

  test('is asked at once where that answer has ended meanwhile', async () => {
    const {actor, clock, opened} = submit({retrieve: async () => answered({state: 'finished', content: 'bar'})})
    clock.increment(30_000)
    await waitFor(actor, (snapshot) => snapshot.matches('asking'))
    expect(opened.at(-1)?.input.exchange).toMatchObject({question: 'foo', key: 'key-1'})
  })

  test('can be taken back while it waits', async () => {
    const {actor, clock, followed, opened} = submit({retrieve: async () => answered({})})
    clock.increment(30_000)
    await waitFor(actor, (snapshot) => !isYielding(snapshot))
    actor.getSnapshot().context.followUps.send({type: 'followUp.remove', key: 'key-1'})
    followed.at(-1)?.stream.next(delta(1, 'bar'))
    followed.at(-1)?.stream.next({type: 'answer.completed'})
    expect(actor.getSnapshot().value).toBe('finished')
    expect(opened).toHaveLength(1)
  })

  test('stays in the thread as refused where the history cannot be read', async () => {
    const {actor, clock} = submit({retrieve: () => Promise.reject(unreachable())})
    const refused = waitFor(actor, (snapshot) => snapshot.matches({failed: 'refused'}))
    for (let attempt = 0; attempt < 6; attempt += 1) {
      clock.increment(30_000)
      await Promise.resolve()
      await Promise.resolve()
    }
    const {context} = await refused
    expect(context.messages.slice(-2)).toMatchObject([
      {role: 'user', content: 'foo', unsent: true},
      {role: 'assistant', outcome: 'refused', error: {code: 'duplication'}, unsent: true},
    ])
  })

  test("Stop ends the wait, and not the other page's answer", () => {
    const {actor, stops} = submit({})
    actor.send({type: 'answer.stop'})
    expect(actor.getSnapshot().value).toEqual({failed: 'stopped'})
    expect(stops).toEqual([])
    expect(actor.getSnapshot().context.messages.at(-2)).toMatchObject({content: 'foo', unsent: true})
  })
})

describe('conversation journeys', () => {
  test('ask, wait, write, finish', () => {
    const {actor, stream, opened} = start()
    actor.send(ask)
    expect(stateWord(actor.getSnapshot())).toBe('pending')
    stream().next({type: 'answer.connected'})
    stream().next(started)
    stream().next(delta(1, 'ba'))
    expect(stateWord(actor.getSnapshot())).toBe('answering')
    stream().next(delta(2, 'r'))
    stream().next({type: 'answer.completed'})
    expect(selectRecord(actor.getSnapshot())).toEqual({
      key: 'k',
      id: 'c-1',
      model: 'm',
      updatedAt: 10,
      messages: [
        {role: 'user', content: 'foo'},
        {role: 'assistant', content: 'bar', id: 'm-1', attempt: 1, model: 'm', state: 'finished'},
      ],
    })
    expect(opened).toHaveLength(1)
    expect(stream().observed).toBe(false)
  })

  test('a delta that comes twice, or for another answer, does nothing', () => {
    const {actor, stream} = start()
    actor.send(ask)
    stream().next(started)
    stream().next(delta(1, 'ba'))
    stream().next(delta(1, 'ba'))
    stream().next({...delta(2, 'foo'), message: 'm-2'})
    stream().next({...delta(2, 'foo'), attempt: 2})
    stream().next({...delta(2, 'foo'), conversation: 'c-2'})
    expect(actor.getSnapshot().context.exchange?.answer).toBe('ba')
  })

  test('the end of the stream without [DONE] resumes after the last delta and finishes byte for byte', () => {
    const {actor, stream, opened, clock} = start({capabilities: ['resume']})
    actor.send(ask)
    stream().next(started)
    stream().next(delta(1, 'ba'))
    stream().complete()
    expect(actor.getSnapshot().hasTag('reconnecting')).toBe(true)
    clock.increment(1_000)
    expect(opened).toHaveLength(2)
    expect(opened[1]?.input).toMatchObject({
      request: 'resume',
      conversation: 'c-1',
      exchange: {message: 'm-1', lastSeq: 1},
    })
    stream().next(delta(2, 'r'))
    stream().next({type: 'answer.completed'})
    expect(actor.getSnapshot().context.messages.at(-1)).toMatchObject({content: 'bar', state: 'finished'})
  })

  test('an answer that the server does not resume is only read, however often, and never asked for again', async () => {
    const question = {role: 'user' as const, content: 'foo'}
    const copy = (content: string, state: 'answering' | 'finished'): Conversation => ({
      id: 'c-1',
      messages: [question, {role: 'assistant', id: 'm-1', content, attempt: 1, state}],
    })
    const copies = [copy('bar', 'answering'), copy('bar b', 'answering'), copy('bar baz', 'finished')]
    const retrieve = () => Promise.resolve(copies.shift() ?? copy('', 'answering'))
    const {actor, stream, opened, clock, value} = start({capabilities: ['resume'], retrieve})
    actor.send(ask)
    stream().next(started)
    stream().next(delta(1, 'ba'))
    stream().complete()
    clock.increment(1_000)
    expect(opened.map(({input}) => input.request)).toEqual(['ask', 'resume'])
    stream().error({status: 400, code: 'bad_request', detail: 'foo'})
    expect(value()).toEqual({reconciling: {unresumed: 'retrieving'}})
    for (const text of ['bar', 'bar b']) {
      await waitFor(actor, (snapshot) => snapshot.matches({reconciling: {unresumed: 'waiting'}}))
      expect(actor.getSnapshot().context.exchange?.answer).toBe(text)
      clock.increment(1_000)
    }
    await waitFor(actor, (snapshot) => snapshot.matches('finished'))
    expect(actor.getSnapshot().context.messages.at(-1)).toMatchObject({content: 'bar baz', state: 'finished'})
    expect(opened).toHaveLength(2)
  })

  test('missing deltas are fetched, never skipped', () => {
    const {actor, stream, opened, clock} = start({capabilities: ['resume']})
    actor.send(ask)
    stream().next(started)
    stream().next(delta(1, 'b'))
    stream().next(delta(3, 'r'))
    clock.increment(1_000)
    expect(opened[1]?.input.exchange).toMatchObject({lastSeq: 1, answer: 'b'})
  })

  test('contact lost before the answer has a name: the same question with the same key', () => {
    const {actor, stream, opened, clock} = start({capabilities: ['idempotency']})
    actor.send(ask)
    stream().error(lostContact('foo'))
    clock.increment(1_000)
    expect(opened.map(({input}) => [input.request, input.exchange.key])).toEqual([
      ['ask', 'key-1'],
      ['ask', 'key-1'],
    ])
  })

  test('a back end without extensions is never asked twice: lost before it has a name is interrupted', () => {
    const {actor, stream, opened, clock, value} = start()
    actor.send(ask)
    stream().error(lostContact('foo'))
    clock.increment(60_000)
    expect(opened).toHaveLength(1)
    expect(value()).toEqual({failed: 'interrupted'})
  })

  test('a back end without extensions is read back: the stored answer counts', async () => {
    const stored: Conversation = {
      id: 'c-1',
      messages: [
        {role: 'user', content: 'foo'},
        {role: 'assistant', content: 'bar'},
      ],
    }
    const {actor, stream, clock} = start({retrieve: () => Promise.resolve(stored)})
    actor.send(ask)
    stream().next({...started, message: 'key-1'})
    stream().next({...delta(1, 'ba'), message: 'key-1'})
    stream().complete()
    clock.increment(1_000)
    await waitFor(actor, (snapshot) => snapshot.matches('finished'))
    expect(actor.getSnapshot().context.messages.at(-1)).toMatchObject({content: 'bar', state: 'finished'})
  })

  test('a truncated answer says so, whether its stream told or the conversation was read back', async () => {
    const told = start()
    told.actor.send(ask)
    told.stream().next(started)
    told.stream().next(delta(1, 'ba'))
    told.stream().next({type: 'answer.completed', outcome: 'truncated'})
    const stored = {role: 'assistant', content: 'ba', id: 'm-1', state: 'finished', outcome: 'truncated'} as const
    const found = start({
      retrieve: () => Promise.resolve({id: 'c-1', messages: [{role: 'user', content: 'foo'}, stored]}),
    })
    found.actor.send(ask)
    found.stream().next(started)
    found.stream().complete()
    found.clock.increment(1_000)
    for (const {actor} of [told, found]) {
      const {context} = await waitFor(actor, (snapshot) => snapshot.matches('finished'))
      expect(context.messages.at(-1)).toMatchObject(stored)
    }
  })

  test('five reconnects without a word end in interrupted, with the partial text', () => {
    const {actor, stream, opened, clock, value} = start({capabilities: ['resume']})
    actor.send(ask)
    stream().next(started)
    stream().next(delta(1, 'ba'))
    for (let round = 0; round < 6; round += 1) {
      stream().error(lostContact('foo'))
      clock.increment(30_000)
    }
    expect(opened).toHaveLength(6)
    expect(value()).toEqual({failed: 'interrupted'})
    expect(actor.getSnapshot().context.messages.at(-1)).toMatchObject({content: 'ba', outcome: 'interrupted'})
  })

  test('offline waits without counting and goes on when the network is back', () => {
    const {actor, stream, opened, clock, value, environment} = start({capabilities: ['resume']})
    actor.send(ask)
    stream().next(started)
    environment.send({type: 'connection.lost'})
    stream().error(lostContact('foo'))
    clock.increment(120_000)
    expect(value()).toEqual({reconciling: 'offline'})
    environment.send({type: 'connection.restored'})
    expect(opened).toHaveLength(2)
  })

  test('silence for 60 s is not the end: it looks for the answer; a ping is no silence', () => {
    const {actor, stream, clock} = start({capabilities: ['resume']})
    actor.send(ask)
    stream().next({type: 'answer.connected'})
    stream().next(started)
    clock.increment(59_000)
    stream().next({type: 'answer.pinged'})
    clock.increment(59_000)
    expect(actor.getSnapshot().hasTag('waiting')).toBe(true)
    clock.increment(1_000)
    expect(actor.getSnapshot().hasTag('reconnecting')).toBe(true)
  })

  test('no connection within 15 s looks for the answer', () => {
    const {actor, clock, value} = start({capabilities: ['idempotency']})
    actor.send(ask)
    clock.increment(14_999)
    expect(value()).toEqual({asking: {pending: 'connecting'}})
    clock.increment(1)
    expect(actor.getSnapshot().hasTag('reconnecting')).toBe(true)
  })

  test('stop shows at once, tells the server and keeps the text', async () => {
    const {actor, stream, stops} = start({capabilities: ['stop'], stop: () => Promise.resolve({state: 'failed'})})
    actor.send(ask)
    stream().next(started)
    stream().next(delta(1, 'ba'))
    const streamed = stream()
    actor.send({type: 'answer.stop'})
    expect(outcomeWord(actor.getSnapshot())).toBe('stopped')
    expect(streamed.observed).toBe(false)
    await waitFor(actor, (snapshot) => snapshot.matches('failed'))
    expect(stops).toEqual([{conversation: 'c-1', message: 'm-1'}])
    expect(actor.getSnapshot().context.messages.at(-1)).toMatchObject({
      content: 'ba',
      state: 'failed',
      outcome: 'stopped',
    })
  })

  test('stop has settled after 200 ms though the server never answers, and no later word is added', () => {
    const {actor, clock, stream, stops} = start({capabilities: ['stop', 'resume', 'idempotency']})
    actor.send(ask)
    const answer = stream()
    answer.next(started)
    answer.next(delta(1, 'ba'))
    actor.send({type: 'answer.stop'})
    clock.increment(200)
    answer.next(delta(2, 'r'))
    const snapshot = actor.getSnapshot()
    expect(stops).toEqual([{conversation: 'c-1', message: 'm-1'}])
    expect(answer.observed).toBe(false)
    expect([outcomeWord(snapshot), snapshot.context.exchange?.answer]).toEqual(['stopped', 'ba'])
    expect([selectCanStop(snapshot), snapshot.hasTag('streaming')]).toEqual([false, false])
    expect(selectRecord(snapshot).messages.at(-1)).toMatchObject({role: 'assistant', content: 'ba'})
  })

  test('stopped before the server named the answer: joined with the same key for its name, then stopped there', () => {
    const {actor, stream, opened, stops} = start({capabilities: ['stop', 'idempotency']})
    actor.send(ask)
    actor.send({type: 'answer.stop'})
    expect(outcomeWord(actor.getSnapshot())).toBe('stopped')
    expect(opened.map(({input}) => input.exchange.key)).toEqual(['key-1', 'key-1'])
    stream().next(started)
    expect(stops).toEqual([{conversation: 'c-1', message: 'm-1'}])
    expect(stream().observed).toBe(false)
  })

  test('an answer that gets no name is asked for it again, then stopped in the browser alone, which it says', () => {
    const {actor, clock, opened, value} = start({capabilities: ['stop', 'idempotency']})
    actor.send(ask)
    actor.send({type: 'answer.stop'})
    for (let step = 0; step < 8; step += 1) clock.increment(5_000)
    expect(value()).toEqual({failed: 'stopped'})
    expect(opened).toHaveLength(5)
    expect(actor.getSnapshot().context.messages.at(-1)).toMatchObject({outcome: 'stopped', unconfirmed: true})
  })

  test('a server that offers no stop has nothing to confirm', () => {
    const {actor, stream, value} = start()
    actor.send(ask)
    stream().next(started)
    actor.send({type: 'answer.stop'})
    expect(value()).toEqual({failed: 'stopped'})
    expect(actor.getSnapshot().context.messages.at(-1)).not.toHaveProperty('unconfirmed')
  })

  test('a stop that fails is repeated with backoff until the server confirms', async () => {
    let isBusy = true
    const {actor, stream, stops, clock, logged} = start({
      capabilities: ['stop'],
      stop: () => (isBusy ? Promise.reject(unreachable()) : Promise.resolve({state: 'failed'})),
    })
    actor.send(ask)
    stream().next(started)
    actor.send({type: 'answer.stop'})
    await waitFor(actor, (snapshot) => snapshot.matches({stopping: 'waiting'}))
    isBusy = false
    clock.increment(1_000)
    await waitFor(actor, (snapshot) => snapshot.matches('failed'))
    expect(stops).toHaveLength(2)
    expect(logged).toEqual([unreachable()])
    expect(actor.getSnapshot().context.messages.at(-1)).not.toHaveProperty('unconfirmed')
  })

  test('a stop that meets a stale credential is given again with a new one, once', async () => {
    const refused = () => Promise.reject(Object.assign(new Error('foo'), {status: 401, code: 'x', detail: 'foo'}))
    const answers: (() => Promise<StoppedAnswer>)[] = [refused, () => Promise.resolve({state: 'failed'})]
    let renewals = 0
    const renew = async () => void (renewals += 1)
    const stopOnce = async (stop: () => Promise<StoppedAnswer>) => {
      const {actor, stream, stops} = start({capabilities: ['stop'], stop, renew})
      actor.send(ask)
      stream().next(started)
      stream().next(delta(1, 'ba'))
      actor.send({type: 'answer.stop'})
      const stopped = await waitFor(actor, (snapshot) => snapshot.matches({failed: 'stopped'}))
      return {stops, message: stopped.context.messages.at(-1)}
    }
    const renewed = await stopOnce(() => (answers.shift() ?? refused)())
    expect(renewed.stops).toHaveLength(2)
    expect(renewed.message).toMatchObject({content: 'ba', outcome: 'stopped'})
    expect(renewed.message?.unconfirmed).toBeUndefined()
    expect(renewals).toBe(1)
    const given = await stopOnce(refused)
    expect(given.stops).toHaveLength(2)
    expect(given.message).toMatchObject({content: 'ba', outcome: 'stopped', unconfirmed: true})
    expect(renewals).toBe(2)
  })

  test('a stop without a network waits for it', async () => {
    const {actor, stream, stops, environment} = start({
      capabilities: ['stop'],
      stop: () => Promise.reject(unreachable()),
    })
    actor.send(ask)
    stream().next(started)
    environment.send({type: 'connection.lost'})
    actor.send({type: 'answer.stop'})
    await waitFor(actor, (snapshot) => snapshot.matches({stopping: 'offline'}))
    environment.send({type: 'connection.restored'})
    expect(stops).toHaveLength(2)
  })

  test('a server that never confirms a stop holds nothing up for long, and the message says so', () => {
    const {actor, stream, stops, clock, value, logged} = start({capabilities: ['stop']})
    actor.send(ask)
    stream().next(started)
    actor.send({type: 'answer.stop'})
    clock.increment(5_000)
    expect(value()).toEqual({stopping: 'waiting'})
    for (let step = 0; step < 6; step += 1) clock.increment(5_000)
    expect(value()).toEqual({failed: 'stopped'})
    expect([stops.length, logged.length]).toEqual([4, 4])
    expect(actor.getSnapshot().context.messages.at(-1)).toMatchObject({outcome: 'stopped', unconfirmed: true})
  })

  test('the next question waits for no repetition of a stop, and is asked once', async () => {
    const {actor, stream, stops, clock, value, environment} = start({
      capabilities: ['stop'],
      stop: () => Promise.reject(unreachable()),
    })
    actor.send(ask)
    stream().next(started)
    environment.send({type: 'connection.lost'})
    actor.send({type: 'answer.stop'})
    await waitFor(actor, (snapshot) => snapshot.matches({stopping: 'offline'}))
    actor.send({...ask, question: 'bar', key: 'key-2', at: 20})
    expect(value()).toEqual({asking: {pending: 'connecting'}})
    expect(actor.getSnapshot().context.messages).toMatchObject([
      {role: 'user', content: 'foo'},
      {role: 'assistant', outcome: 'stopped', unconfirmed: true},
      {role: 'user', content: 'bar'},
    ])
    clock.increment(5_000)
    expect(stops).toHaveLength(1)
    expect(actor.getSnapshot().context.exchange).toMatchObject({key: 'key-2', question: 'bar'})
  })

  test('a refused stop is not repeated', async () => {
    const {actor, stream, stops} = start({
      capabilities: ['stop'],
      stop: () => Promise.reject(Object.assign(new Error('foo'), {status: 403, code: 'forbidden', detail: 'foo'})),
    })
    actor.send(ask)
    stream().next(started)
    actor.send({type: 'answer.stop'})
    await waitFor(actor, (snapshot) => snapshot.matches('failed'))
    expect(stops).toHaveLength(1)
    expect(actor.getSnapshot().context.messages.at(-1)).toMatchObject({outcome: 'stopped', unconfirmed: true})
  })

  describe('without a stream of its own', () => {
    const stored = (content: string, state: 'answering' | 'finished'): Conversation => ({
      id: 'c-1',
      messages: [
        {role: 'user', content: 'foo'},
        {role: 'assistant', content, state, id: 'm-1', attempt: 1},
      ],
    })
    const open = (retrieve: () => Promise<Conversation>, capabilities: ChatCapability[] = ['resume', 'follow']) => {
      const world = start({capabilities, retrieve})
      world.actor.send(ask)
      world.stream().next(started)
      world.stream().next(delta(1, 'ba'))
      const own = world.stream()
      own.next({type: 'slot.denied'})
      return {...world, own}
    }

    test('its words come through the stream that all tabs share, from its own position on', async () => {
      const {actor, followed, own, value} = open(() => Promise.resolve(stored('', 'answering')))
      expect([value(), own.observed]).toEqual([{following: 'calling'}, false])
      expect(followed.at(-1)?.input).toMatchObject({conversation: 'c-1', exchange: {message: 'm-1', lastSeq: 1}})
      followed.at(-1)?.stream.next(delta(2, 'r'))
      expect([value(), actor.getSnapshot().hasTag('reconnecting')]).toEqual([{following: 'hearing'}, false])
      followed.at(-1)?.stream.next({type: 'answer.completed'})
      expect(actor.getSnapshot().context.messages.at(-1)).toMatchObject({content: 'bar', state: 'finished'})
    })

    test('words that lack others before them are asked for again, from the last one', () => {
      const {followed} = open(() => Promise.resolve(stored('', 'answering')))
      followed.at(-1)?.stream.next(delta(2, 'r'))
      followed.at(-1)?.stream.next(delta(9, 'gap'))
      expect(followed).toHaveLength(2)
      expect(followed.at(-1)?.input.exchange).toMatchObject({answer: 'bar', lastSeq: 2})
    })

    test('what ended before the shared stream was opened is retrieved after a short silence', async () => {
      let copy = stored('ba', 'answering')
      const {actor, clock, followed} = open(() => Promise.resolve(copy))
      clock.increment(1_500)
      await waitFor(actor, (snapshot) => snapshot.matches({following: 'waiting'}))
      followed.at(-1)?.stream.next(delta(2, 'r'))
      copy = stored('barbaz', 'finished')
      followed.at(-1)?.stream.next({type: 'answer.connected'})
      clock.increment(1_500)
      await waitFor(actor, (snapshot) => snapshot.matches('finished'))
      expect(actor.getSnapshot().context.messages.at(-1)).toMatchObject({content: 'barbaz', state: 'finished'})
    })

    test('a server that cannot be reached is said as lost contact; five times in vain end it', async () => {
      const {actor, clock} = open(() => Promise.reject(unreachable()))
      for (const _ of Array.from({length: 5})) {
        clock.increment(20_000)
        await waitFor(actor, (snapshot) => snapshot.matches({following: {disconnected: 'waiting'}}))
        expect(actor.getSnapshot().hasTag('reconnecting')).toBe(true)
      }
      clock.increment(20_000)
      await waitFor(actor, (snapshot) => snapshot.matches({failed: 'interrupted'}))
    })

    test('offline it waits for the network', async () => {
      let isReachable = false
      const {actor, clock, environment} = open(() =>
        isReachable ? Promise.resolve(stored('bar', 'finished')) : Promise.reject(unreachable()),
      )
      environment.send({type: 'connection.lost'})
      clock.increment(1_500)
      await waitFor(actor, (snapshot) => snapshot.matches({following: {disconnected: 'offline'}}))
      expect(actor.getSnapshot().hasTag('reconnecting')).toBe(true)
      isReachable = true
      environment.send({type: 'connection.restored'})
      await waitFor(actor, (snapshot) => snapshot.matches('finished'))
    })

    test('a shared stream that breaks is said at once, until it is open again or its words come', async () => {
      const {actor, clock, followed, value} = open(() => Promise.reject(unreachable()))
      const isReconnecting = () => actor.getSnapshot().hasTag('reconnecting')
      for (const back of [{type: 'answer.connected'} as const, delta(2, 'r')]) {
        followed.at(-1)?.stream.next({type: 'answer.disconnected'})
        expect(isReconnecting()).toBe(true)
        // it fails again each time that the tab tries to open it: that is no news
        clock.increment(10_000)
        followed.at(-1)?.stream.next({type: 'answer.disconnected'})
        clock.increment(10_000)
        expect([value(), isReconnecting()]).toEqual([{following: {disconnected: 'retrieving'}}, true])
        followed.at(-1)?.stream.next(back)
        expect(isReconnecting()).toBe(false)
      }
      expect(value()).toEqual({following: 'hearing'})
      expect(actor.getSnapshot().context.exchange).toMatchObject({answer: 'bar', reconnects: 0})
    })

    test('contact that comes back is no longer said to be lost, though the copy has no new words', async () => {
      let isReachable = false
      const {actor, clock, environment} = open(() =>
        isReachable ? Promise.resolve(stored('ba', 'answering')) : Promise.reject(unreachable()),
      )
      clock.increment(1_500)
      await waitFor(actor, (snapshot) => snapshot.hasTag('reconnecting'))
      isReachable = true
      environment.send({type: 'connection.lost'})
      environment.send({type: 'connection.restored'})
      await waitFor(actor, (snapshot) => snapshot.matches({following: 'waiting'}))
    })

    test('a server that shares no stream is asked every five seconds', async () => {
      const {actor, clock} = open(() => Promise.resolve(stored('bar', 'answering')), [])
      clock.increment(5_000)
      await waitFor(actor, (snapshot) => snapshot.matches({following: 'waiting'}))
      expect(actor.getSnapshot().context.exchange?.answer).toBe('bar')
      clock.increment(5_000)
      expect(actor.getSnapshot().value).toEqual({following: 'retrieving'})
    })

    test('a page that opens on a running answer follows it, and never says that it lost contact', async () => {
      const running: ConversationRecord = {...fresh, id: 'c-1', messages: stored('ba', 'answering').messages}
      const {actor, followed, opened} = start({record: running, capabilities: ['resume', 'follow']})
      expect([actor.getSnapshot().value, opened]).toEqual([{following: 'calling'}, []])
      expect(actor.getSnapshot().hasTag('reconnecting')).toBe(false)
      followed.at(-1)?.stream.next(delta(1, 'ba'))
      expect(actor.getSnapshot().context.exchange?.answer).toBe('ba')
    })
  })

  describe('an answer that the server cut off', () => {
    const cut = {
      type: 'answer.failed',
      outcome: 'interrupted',
      failure: {code: 'api_error', detail: 'foo'},
    } as const
    const copy = (content: string, end: Partial<RecordMessage>): Conversation => ({
      id: 'c-1',
      messages: [
        {role: 'user', content: 'foo'},
        {role: 'assistant', content, id: 'm-1', attempt: 1, ...end},
      ],
    })
    const cutOff = (retrieve: () => Promise<Conversation>) => {
      const world = start({capabilities: ['resume'], retrieve})
      world.actor.send(ask)
      world.stream().next(started)
      world.stream().next(delta(1, 'shown and lost'))
      world.stream().next(cut)
      return world
    }
    const last = ({actor}: ReturnType<typeof start>) => actor.getSnapshot().context.messages.at(-1)

    test('is what the server has of it, though more was shown', async () => {
      const world = cutOff(async () => copy('shown', {state: 'failed', outcome: 'interrupted'}))
      await waitFor(world.actor, (snapshot) => snapshot.matches({failed: 'interrupted'}))
      expect(last(world)).toMatchObject({content: 'shown', state: 'failed', outcome: 'interrupted'})
      expect(last(world)?.error).toEqual({code: 'api_error', message: 'foo'})
    })

    test('stays as it was shown where the copy cannot be read, or not in time', async () => {
      const failing = cutOff(() => Promise.reject(unreachable()))
      await waitFor(failing.actor, (snapshot) => snapshot.matches({failed: 'interrupted'}))
      expect(last(failing)).toMatchObject({content: 'shown and lost', outcome: 'interrupted'})
      const silent = cutOff(() => new Promise<Conversation>(() => undefined))
      silent.clock.increment(15_000)
      expect(silent.value()).toEqual({failed: 'interrupted'})
      expect(last(silent)).toMatchObject({content: 'shown and lost'})
    })

    test('that ended after all is whole', async () => {
      const world = cutOff(async () => copy('shown and lost no more', {state: 'finished'}))
      await waitFor(world.actor, (snapshot) => snapshot.matches('finished'))
      expect(last(world)).toMatchObject({content: 'shown and lost no more', state: 'finished'})
    })
  })

  test('a question that waits for its turn has no deadline; it can be stopped', () => {
    const {actor, stream, clock, value} = start()
    actor.send(ask)
    stream().next({type: 'slot.awaited'})
    clock.increment(600_000)
    expect(value()).toEqual({asking: {pending: 'queued'}})
    expect(actor.getSnapshot().hasTag('waiting')).toBe(true)
    stream().next({type: 'slot.granted'})
    expect(value()).toEqual({asking: {pending: 'connecting'}})
    clock.increment(15_000)
    expect(value()).toEqual({reconciling: 'waiting'})
  })

  test('a refusal keeps the question, its code and detail; retry asks with a new key', () => {
    const {actor, stream, opened} = start()
    actor.send(ask)
    stream().error({status: 403, code: 'used_up', detail: 'bar'})
    expect(actor.getSnapshot().context.messages).toEqual([
      {role: 'user', content: 'foo', unsent: true},
      {
        unsent: true,
        role: 'assistant',
        content: '',
        id: 'key-1',
        attempt: 1,
        model: 'm',
        state: 'failed',
        outcome: 'refused',
        error: {code: 'used_up', message: 'bar'},
      },
    ])
    actor.send({type: 'answer.retry', key: 'key-2', at: 20})
    expect(opened.map(({input}) => [input.exchange.question, input.exchange.key])).toEqual([
      ['foo', 'key-1'],
      ['foo', 'key-2'],
    ])
    expect(actor.getSnapshot().context.messages).toEqual([{role: 'user', content: 'foo'}])
  })

  test('a stale credential is renewed once, and the same question asked with the same key', async () => {
    const {actor, stream, opened} = start({renew: () => Promise.resolve()})
    actor.send(ask)
    stream().error({status: 401, code: 'invalid_token', detail: 'bar'})
    await waitFor(actor, (snapshot) => snapshot.matches('asking'))
    expect(opened.map(({input}) => input.exchange.key)).toEqual(['key-1', 'key-1'])
    stream().error({status: 401, code: 'invalid_token', detail: 'bar'})
    expect(actor.getSnapshot().value).toEqual({failed: 'refused'})
  })

  test('asked while set-up still runs: its credential is waited for, and the question asked once it is there', async () => {
    const {actor, stream, opened} = start({renew: () => Promise.resolve()})
    actor.send(ask)
    stream().error({code: 'not_applied', detail: 'no token'})
    await waitFor(actor, (snapshot) => snapshot.matches('asking'))
    expect(opened).toHaveLength(2)
    stream().error({code: 'not_applied', detail: 'no token'})
    expect(actor.getSnapshot().value).toEqual({failed: 'refused'})
  })

  test('asked before anything was applied for: the question waits, and goes out with its own key once there is a credential', async () => {
    const {actor, stream, opened} = start({renew: () => Promise.reject(new Error('nothing was applied for'))})
    actor.send(ask)
    stream().error({code: 'not_applied', detail: 'no token'})
    await waitFor(actor, (snapshot) => snapshot.matches('failed'))
    expect(actor.getSnapshot().value).toEqual({failed: 'unapplied'})
    expect(actor.getSnapshot().context.messages.map(({unsent}) => unsent)).toEqual([true, true])
    actor.send({type: 'credential.ready'})
    expect(actor.getSnapshot().matches('asking')).toBe(true)
    expect(opened.map(({input}) => [input.exchange.question, input.exchange.key])).toEqual([
      ['foo', 'key-1'],
      ['foo', 'key-1'],
    ])
    expect(actor.getSnapshot().context.messages).toEqual([{role: 'user', content: 'foo'}])
  })

  test('refused for want of credits: it goes out with its own key once there are some, also after a reload', async () => {
    const {actor, stream} = start()
    actor.send(ask)
    stream().error({code: 'used_up', detail: 'foo', status: 403})
    expect(actor.getSnapshot().value).toEqual({failed: 'unpaid'})
    // as: what is stored is JSON
    const stored = JSON.parse(JSON.stringify(selectRecord(actor.getSnapshot()))) as ConversationRecord
    for (const {actor: waiting, opened} of [start({record: stored}), start({record: stored})]) {
      expect(waiting.getSnapshot().value).toEqual({failed: 'unpaid'})
      waiting.send({type: 'credits.added', at: ask.at + 3_599})
      expect(waiting.getSnapshot().matches('asking')).toBe(true)
      expect(opened.map(({input}) => [input.exchange.question, input.exchange.key])).toEqual([['foo', 'key-1']])
      expect(waiting.getSnapshot().context.messages).toEqual([{role: 'user', content: 'foo'}])
    }
  })

  test('credits that come an hour after the refusal send nothing: the user may not remember the question', () => {
    const {actor, stream, opened} = start()
    actor.send(ask)
    stream().error({code: 'used_up', detail: 'foo', status: 403})
    actor.send({type: 'credits.added', at: ask.at + 3_600})
    expect(actor.getSnapshot().value).toEqual({failed: 'unpaid'})
    expect(opened).toHaveLength(1)
    actor.send({type: 'answer.retry', key: 'key-2', at: ask.at + 3_600})
    expect(opened.map(({input}) => input.exchange.key)).toEqual(['key-1', 'key-2'])
  })

  test('an answer that used up the credits on its way keeps its words and is not asked again by itself', () => {
    const {actor, stream, opened} = start()
    actor.send(ask)
    stream().next(started)
    stream().next(delta(1, 'ba'))
    stream().next({type: 'answer.failed', failure: {code: 'used_up', detail: 'foo', status: 403}})
    actor.send({type: 'credits.added', at: ask.at})
    expect(actor.getSnapshot().context.messages.at(-1)?.content).toBe('ba')
    expect(opened).toHaveLength(1)
  })

  test('any other refused question does not go out by itself when there is a credential', async () => {
    const {actor, stream, opened} = start({renew: () => Promise.reject(new Error('foo'))})
    actor.send(ask)
    stream().error({status: 401, code: 'invalid_token', detail: 'bar'})
    await waitFor(actor, (snapshot) => snapshot.matches('failed'))
    actor.send({type: 'credential.ready'})
    expect(actor.getSnapshot().value).toEqual({failed: 'refused'})
    expect(opened).toHaveLength(1)
  })

  test('a refusal of the server that names not_applied is one: set-up is not asked again', () => {
    const {actor, stream} = start({renew: () => Promise.resolve()})
    actor.send(ask)
    stream().error({status: 403, code: 'not_applied', detail: 'bar'})
    expect(actor.getSnapshot().value).toEqual({failed: 'refused'})
  })

  const long: ConversationRecord = {
    key: 'c-1',
    id: 'c-1',
    model: 'm',
    updatedAt: 0,
    messages: [
      {role: 'user', content: 'one', id: 'u-1'},
      {role: 'assistant', content: 'two', id: 'm-1', state: 'finished'},
      {role: 'user', content: 'three', id: 'u-2'},
      {role: 'assistant', content: 'four', id: 'm-2', state: 'finished'},
    ],
  }

  test('edit cuts the history on the server first, then asks', async () => {
    const {actor, truncations, opened} = start({record: long, truncate: () => Promise.resolve()})
    actor.send({type: 'message.edit', index: 2, question: 'five', key: 'key-2', at: 20})
    await waitFor(actor, (snapshot) => snapshot.matches('asking'))
    expect(truncations).toEqual([
      {conversation: 'c-1', messages: long.messages.slice(0, 2), last: 'm-2', capabilities: []},
    ])
    expect(actor.getSnapshot().context.messages).toEqual([
      ...long.messages.slice(0, 2),
      {role: 'user', content: 'five'},
    ])
    expect(opened[0]?.input).toMatchObject({request: 'ask', conversation: 'c-1', exchange: {question: 'five'}})
  })

  test('what no server accepted is not cut there: a refused question is simply asked again', async () => {
    const {actor, stream, truncations, opened} = start({record: long, truncate: () => Promise.resolve()})
    actor.send(ask)
    stream().error({status: 429, code: 'too_many_requests', detail: 'bar'})
    actor.send({type: 'answer.retry', key: 'key-2', at: 20})
    expect([opened.length, truncations.length]).toEqual([2, 0])
    stream().error({status: 429, code: 'too_many_requests', detail: 'bar'})
    actor.send({...ask, question: 'other', key: 'key-3'})
    stream().next({...started, conversation: 'c-1', message: 'm-9'})
    stream().next({type: 'answer.completed'})
    actor.send({type: 'answer.regenerate', key: 'key-4', at: 30})
    await waitFor(actor, (snapshot) => snapshot.matches('asking'))
    expect(truncations).toEqual([{conversation: 'c-1', messages: long.messages, last: 'm-9', capabilities: []}])
  })

  test('a question stopped before its first word may have arrived: the history is cut to what surely did', async () => {
    const {actor, truncations} = start({record: long, truncate: () => Promise.resolve()})
    actor.send(ask)
    actor.send({type: 'answer.stop'})
    expect(actor.getSnapshot().value).toEqual({failed: 'stopped'})
    actor.send({type: 'answer.retry', key: 'key-2', at: 20})
    await waitFor(actor, (snapshot) => snapshot.matches('asking'))
    expect(truncations).toEqual([{conversation: 'c-1', messages: long.messages, capabilities: []}])
  })

  test('an edit the server refuses changes nothing and gives the text back', async () => {
    const {actor, opened} = start({record: long, truncate: () => Promise.reject(new Error('bar'))})
    const rejected: ConversationEmitted[] = []
    actor.on('edit.rejected', (event) => rejected.push(event))
    actor.send({type: 'message.edit', index: 2, question: 'five', key: 'key-2', at: 20})
    await waitFor(actor, (snapshot) => snapshot.matches('finished'))
    expect(actor.getSnapshot().context.messages).toEqual(long.messages)
    expect(rejected).toEqual([{type: 'edit.rejected', question: 'five', failure: {code: 'unknown', detail: 'bar'}}])
    expect(opened).toEqual([])
  })

  test('a reload in mid-answer goes on where the stored text ends', () => {
    const first = start({capabilities: ['resume']})
    first.actor.send(ask)
    first.stream().next(started)
    first.stream().next(delta(1, 'ba'))
    // as: what is stored is JSON
    const stored = JSON.parse(JSON.stringify(selectRecord(first.actor.getSnapshot()))) as ConversationRecord
    first.actor.stop()
    const {actor, followed} = start({record: stored, capabilities: ['resume', 'follow']})
    expect(actor.getSnapshot().context.exchange?.answer).toBe('ba')
    expect(followed[0]?.input).toMatchObject({conversation: 'c-1', exchange: {lastSeq: 1, question: 'foo'}})
    followed[0]?.stream.next(delta(2, 'r'))
    followed[0]?.stream.next({type: 'answer.completed'})
    expect(actor.getSnapshot().context.messages).toEqual([
      {role: 'user', content: 'foo'},
      {role: 'assistant', content: 'bar', id: 'm-1', attempt: 1, model: 'm', state: 'finished'},
    ])
  })

  test('a reload where the server resumes answers but shares no stream: its own stream goes on', async () => {
    const retrieve = async (): Promise<Conversation> => ({
      id: 'c-1',
      messages: [
        {role: 'user', content: 'foo'},
        {role: 'assistant', content: 'bar', state: 'answering', id: 'm-1', attempt: 1},
      ],
    })
    const record: ConversationRecord = {
      ...fresh,
      id: 'c-1',
      messages: [
        {role: 'user', content: 'foo'},
        {role: 'assistant', content: 'ba', state: 'answering', id: 'm-1', attempt: 1, seq: 1},
      ],
    }
    const {actor, opened, clock} = start({record, capabilities: ['resume'], retrieve})
    clock.increment(1_500)
    await waitFor(actor, (snapshot) => snapshot.matches('asking'))
    expect(opened[0]?.input).toMatchObject({request: 'resume', exchange: {lastSeq: 1, answer: 'ba'}})
  })

  test('a text that was read from a copy is replaced by the numbered words', () => {
    const record: ConversationRecord = {
      ...fresh,
      id: 'c-1',
      messages: [
        {role: 'user', content: 'foo'},
        {role: 'assistant', content: 'ba', state: 'answering', id: 'm-1', attempt: 1},
      ],
    }
    const {actor, followed} = start({record})
    actor.send({type: 'service.changed', capabilities: ['resume', 'follow']})
    expect(followed).toHaveLength(2)
    followed[1]?.stream.next(delta(1, 'bar'))
    expect(actor.getSnapshot().context.exchange?.answer).toBe('bar')
  })

  test('an answer that was sent but never named is asked for with its first key after a reload', () => {
    const first = start({capabilities: ['idempotency']})
    first.actor.send(ask)
    const stored = selectRecord(first.actor.getSnapshot())
    first.actor.stop()
    const {opened, clock} = start({record: stored, capabilities: ['idempotency']})
    clock.increment(1_000)
    expect(opened[0]?.input).toMatchObject({request: 'ask', exchange: {key: 'key-1', question: 'foo'}})
  })
})
