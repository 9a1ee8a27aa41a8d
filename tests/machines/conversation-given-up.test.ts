import {describe, expect, test} from 'vitest'
import {waitFor} from 'xstate'
import type {Conversation} from '#contract/chat.ts'
import type {ConversationRecord, RecordMessage} from '#domain/conversation.ts'
import {recordOf} from '#machines/conversation/conversation.rules.ts'
import {ask, started, delta, unreachable, start, ownAnswer} from './conversation-fixture.ts'

const copy = (content: string, end: Partial<RecordMessage>): Conversation => ({
  id: 'c-1',
  messages: [
    {role: 'user', content: 'foo'},
    {role: 'assistant', content, id: 'm-1', attempt: 1, ...end},
  ],
})

/** The answer as the page knew it before contact was lost. */
const asked = {...ownAnswer, created_at: 10, provider: 'p', sandbox: true} as const
const givenUp = {state: 'failed', outcome: 'interrupted', unconfirmed: true} as const

describe('an answer that was given up', () => {
  async function giveUp() {
    let reads = 0
    let read: () => Promise<Conversation> = () => Promise.reject(unreachable())
    const retrieve = () => {
      reads += 1
      return read()
    }
    const world = start({capabilities: ['follow'], retrieve})
    const {actor, clock} = world
    actor.send(ask)
    world.stream().next({...started, provider: 'p', sandbox: true})
    world.stream().next(delta(1, 'ba'))
    world.stream().next({type: 'slot.denied'})
    for (const _ of Array.from({length: 6})) {
      clock.increment(20_000)
      await waitFor(actor, (snapshot) => !snapshot.matches({following: {disconnected: 'retrieving'}}))
    }
    await waitFor(actor, (snapshot) => snapshot.matches({failed: 'interrupted'}))
    const before = reads
    return {
      ...world,
      answerWith: (next: typeof read) => {
        read = next
      },
      reads: () => reads - before,
    }
  }
  type World = Awaited<ReturnType<typeof giveUp>>
  const last = ({actor}: World) => actor.getSnapshot().context.messages.at(-1)
  const returns = {
    'the page is seen again': ({environment}: World) => {
      environment.send({type: 'page.hidden'})
      environment.send({type: 'page.shown'})
    },
    'the network is back': ({environment}: World) => {
      environment.send({type: 'connection.lost'})
      environment.send({type: 'connection.restored'})
    },
  }

  test.each(Object.entries(returns))('is read when %s, and is whole where the server has it', async (_, comeBack) => {
    const world = await giveUp()
    world.answerWith(async () => copy('barbaz', {state: 'finished'}))
    comeBack(world)
    await waitFor(world.actor, (snapshot) => snapshot.matches('finished'))
    expect(last(world)).toEqual({...asked, content: 'barbaz', state: 'finished'})
    comeBack(world)
    expect(world.reads()).toBe(1)
  })

  test('keeps its text where the server still cannot be reached, and is read the next time', async () => {
    const world = await giveUp()
    returns['the page is seen again'](world)
    await waitFor(world.actor, (snapshot) => snapshot.matches({failed: 'interrupted'}))
    expect(last(world)).toEqual({...asked, content: 'ba', ...givenUp})
    returns['the page is seen again'](world)
    world.clock.increment(15_000)
    await waitFor(world.actor, (snapshot) => snapshot.matches({failed: 'interrupted'}))
    expect(world.reads()).toBe(2)
  })

  test('goes on where the server still writes it', async () => {
    const world = await giveUp()
    world.answerWith(async () => copy('barb', {state: 'answering'}))
    returns['the network is back'](world)
    await waitFor(world.actor, (snapshot) => snapshot.context.exchange?.answer === 'barb')
    world.answerWith(async () => copy('barbaz', {state: 'finished'}))
    world.clock.increment(2_000)
    await waitFor(world.actor, (snapshot) => snapshot.matches('finished'))
    expect(last(world)).toEqual({...asked, content: 'barbaz', state: 'finished'})
  })

  test('is told of as running once the server says that it still writes it, and not before', async () => {
    const world = await giveUp()
    world.answerWith(async () => copy('barb', {state: 'answering'}))
    const phases = () => world.reports.flatMap(({type, phase}) => (type === 'conversation.changed' ? [phase] : []))
    const before = phases().length
    returns['the page is seen again'](world)
    expect(phases().slice(before)).toEqual([])
    await waitFor(world.actor, (snapshot) => snapshot.context.exchange?.answer === 'barb')
    expect(phases().slice(before)).toEqual(['running'])
  })

  test('keeps no question waiting that is asked while it is read', async () => {
    const world = await giveUp()
    world.answerWith(() => new Promise(() => {}))
    returns['the page is seen again'](world)
    world.actor.send({...ask, question: 'next', key: 'key-2'})
    await waitFor(world.actor, (snapshot) => snapshot.matches('asking'))
    expect(world.actor.getSnapshot().context.messages.map(({content}) => content)).toEqual(['foo', 'ba', 'next'])
  })

  const retry = {type: 'answer.retry', key: 'key-2', at: 20} as const
  const contents = ({actor}: World) => actor.getSnapshot().context.messages.map(({content}) => content)

  describe.each([
    ['is tried again', retry],
    ['is to be given by another model', {...retry, model: 'm-b'}],
  ] as const)('and %s', (_, again) => {
    const asksAgain = async (read: () => Promise<Conversation>) => {
      const world = await giveUp()
      world.answerWith(read)
      const asked = world.opened.length
      world.actor.send(again)
      return {...world, asked: () => world.opened.slice(asked).map(({input: {exchange}}) => exchange)}
    }

    test('is shown, and not asked for, where the server has it', async () => {
      const world = await asksAgain(async () => copy('barbaz', {state: 'finished'}))
      await waitFor(world.actor, (snapshot) => snapshot.matches('finished'))
      expect([world.reads(), world.asked()]).toEqual([1, []])
      expect(last(world)).toEqual({...asked, content: 'barbaz', state: 'finished'})
      expect(world.actor.getSnapshot().context.plan).toBeUndefined()
    })

    test('is followed, and not asked for, where the server still writes it', async () => {
      const world = await asksAgain(async () => copy('barb', {state: 'answering'}))
      await waitFor(world.actor, (snapshot) => snapshot.context.exchange?.answer === 'barb')
      expect([world.asked(), world.actor.getSnapshot().context.plan]).toEqual([[], undefined])
      world.answerWith(async () => copy('barbaz', {state: 'finished'}))
      world.clock.increment(2_000)
      await waitFor(world.actor, (snapshot) => snapshot.matches('finished'))
      expect(last(world)).toEqual({...asked, content: 'barbaz', state: 'finished'})
    })

    test.each([
      ['cut it off', async () => copy('ba', {state: 'failed', outcome: 'interrupted'})],
      ['has none', async (): Promise<Conversation> => ({id: 'c-1', messages: [{role: 'user', content: 'foo'}]})],
      [
        'refuses to say',
        () => Promise.reject(Object.assign(new Error('foo'), {code: 'gone', detail: '', status: 404})),
      ],
      [
        'cannot say',
        () => Promise.reject(Object.assign(new Error('foo'), {code: 'api_error', detail: '', status: 500})),
      ],
    ] as const)('is asked for, once, where the server %s', async (__, read) => {
      const world = await asksAgain(read)
      expect(world.asked()).toEqual([])
      await waitFor(world.actor, (snapshot) => snapshot.matches('truncating') || snapshot.matches('asking'))
      const {context} = world.actor.getSnapshot()
      expect(context.exchange).toMatchObject({
        question: 'foo',
        key: 'key-2',
        model: 'model' in again ? again.model : 'm',
      })
      expect([world.reads(), context.exchange?.answer, context.plan]).toEqual([1, '', undefined])
    })

    test('stays as it is where the server cannot be reached, and can be tried again', async () => {
      const world = await asksAgain(() => Promise.reject(unreachable()))
      await waitFor(world.actor, (snapshot) => snapshot.matches({failed: {interrupted: 'lost'}}))
      expect(last(world)).toEqual({...asked, content: 'ba', ...givenUp})
      expect(world.actor.getSnapshot().context.plan).toBeUndefined()
      world.answerWith(() => new Promise(() => {}))
      world.actor.send(again)
      world.clock.increment(15_000)
      expect(world.value()).toEqual({failed: {interrupted: 'lost'}})
      expect([world.reads(), world.asked(), contents(world)]).toEqual([2, [], ['foo', 'ba']])
    })

    test('is not asked for once that is stopped', async () => {
      const world = await asksAgain(() => new Promise(() => {}))
      world.actor.send({type: 'answer.stop'})
      expect(world.value()).toEqual({failed: {interrupted: 'lost'}})
      expect([world.stops, world.asked(), contents(world)]).toEqual([[], [], ['foo', 'ba']])
    })

    test('gives way to another question', async () => {
      const world = await asksAgain(() => new Promise(() => {}))
      world.actor.send({...ask, question: 'next', key: 'key-3'})
      await waitFor(world.actor, (snapshot) => snapshot.matches('asking'))
      expect(world.asked()).toMatchObject([{question: 'next', key: 'key-3'}])
      expect(contents(world)).toEqual(['foo', 'ba', 'next'])
    })
  })

  test('is read before it is asked for again after its conversation was left, too', async () => {
    const {actor} = await giveUp()
    const record = recordOf(actor.getSnapshot().context)
    const retrieve = async () => copy('barbaz', {state: 'finished'})
    const again = start({record, capabilities: ['follow'], retrieve})
    expect(again.value()).toEqual({failed: {interrupted: 'lost'}})
    again.actor.send(retry)
    await waitFor(again.actor, (snapshot) => snapshot.matches('finished'))
    expect(again.opened).toEqual([])
  })

  test('that the server says it cut off is not read again', async () => {
    const world = await giveUp()
    world.answerWith(async () => copy('bar', {state: 'failed', outcome: 'interrupted'}))
    returns['the page is seen again'](world)
    await waitFor(world.actor, (snapshot) => snapshot.matches({failed: 'interrupted'}))
    expect(last(world)).toEqual({...asked, content: 'bar', state: 'failed', outcome: 'interrupted'})
    returns['the page is seen again'](world)
    expect(world.reads()).toBe(1)
  })
})

describe('an answer that the server cut off', () => {
  const cut = {
    type: 'answer.failed',
    outcome: 'interrupted',
    failure: {code: 'api_error', detail: 'foo'},
  } as const
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
    expect(last(world)).toEqual({
      ...ownAnswer,
      created_at: 10,
      error: {code: 'api_error', message: 'foo'},
      content: 'shown',
      state: 'failed',
      outcome: 'interrupted',
    })
    expect(last(world)?.error).toEqual({code: 'api_error', message: 'foo'})
  })

  test('stays as it was shown where the copy cannot be read, or not in time', async () => {
    const failing = cutOff(() => Promise.reject(unreachable()))
    await waitFor(failing.actor, (snapshot) => snapshot.matches({failed: 'interrupted'}))
    expect(last(failing)).toEqual({
      ...ownAnswer,
      created_at: 10,
      state: 'failed',
      error: {code: 'api_error', message: 'foo'},
      content: 'shown and lost',
      outcome: 'interrupted',
    })
    const silent = cutOff(() => new Promise<Conversation>(() => undefined))
    silent.clock.increment(15_000)
    expect(silent.value()).toEqual({failed: {interrupted: 'ended'}})
    expect(last(silent)).toEqual({
      ...ownAnswer,
      created_at: 10,
      state: 'failed',
      outcome: 'interrupted',
      error: {code: 'api_error', message: 'foo'},
      content: 'shown and lost',
    })
  })

  test('that ended after all is whole', async () => {
    const world = cutOff(async () => copy('shown and lost no more', {state: 'finished'}))
    await waitFor(world.actor, (snapshot) => snapshot.matches('finished'))
    expect(last(world)).toEqual({...ownAnswer, created_at: 10, content: 'shown and lost no more', state: 'finished'})
  })
})

describe('the same words asked again, lost before the server had them', () => {
  const [words, two] = [
    {role: 'user', content: 'continue'},
    {role: 'assistant', content: 'two', state: 'finished'},
  ] as const
  const askedAgain = async (history: RecordMessage[], copy: RecordMessage[]) => {
    const record: ConversationRecord = {key: 'c-1', id: 'c-1', model: 'm', messages: history, updatedAt: 0}
    const retrieve = () => Promise.resolve({id: 'c-1', messages: copy})
    const {actor, clock, stream} = start({record, retrieve})
    actor.send({...ask, question: 'continue'})
    stream().error(unreachable())
    clock.increment(5_000)
    await waitFor(actor, (snapshot) => !snapshot.hasTag('busy'))
    return [actor.getSnapshot().value, actor.getSnapshot().context.messages.at(-1)?.content]
  }
  const named = {...two, id: 'm-1'}

  test.each([
    ['with names', [words, named]],
    ['without names', [words, two]],
  ])('are not answered by the old answer (%s)', async (_, history: RecordMessage[]) => {
    expect(await askedAgain(history, history)).toEqual([{failed: {interrupted: 'ended'}}, ''])
  })

  test.each([
    ['with names', [words, named], [words, {...two, id: 'm-2', content: 'three'}]],
    ['without names', [words, two], [words, two, words, {...two, content: 'three'}]],
    [
      'where a failed turn was not stored',
      [words, {...two, state: 'failed' as const}],
      [words, {...two, content: 'three'}],
    ],
  ])('are answered by the new one (%s)', async (_, history: RecordMessage[], copy: RecordMessage[]) => {
    expect(await askedAgain(history, copy)).toEqual(['finished', 'three'])
  })
})
