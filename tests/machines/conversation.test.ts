import {describe, expect, test} from 'vitest'
import {NEVER} from 'rxjs'
import {createActor, fromEventObservable, fromPromise, waitFor} from 'xstate'
import type {Conversation} from '#contract/chat.ts'
import type {AnswerInput} from '#domain/answer.ts'
import {messageText} from '#domain/conversation.ts'
import type {Exchange} from '#domain/exchange.ts'
import {lostContact} from '#domain/failure.ts'
import {conversationMachine} from '#machines/conversation/conversation.machine.ts'
import type {AnswerStreamEvent, ConversationContext} from '#machines/conversation/conversation.types.ts'
import {describeRules} from './rules.ts'
import {all, ask, conversationWalk, fresh, input, running, type conversationEvents} from './conversation-graph.ts'

/** The history that the server has chosen. */
const chosenIn = ({visit, messages}: ConversationContext) => visit?.chosen ?? messages
/** The server has not named the answer. */
const isUnnamed = ({exchange}: {exchange?: Exchange | undefined}) =>
  exchange !== undefined && exchange.message === undefined

describe('conversation', () => {
  const {edges, coverage} = describeRules(conversationMachine, conversationWalk)

  test('every transition is taken', async () => {
    const actor = createActor(conversationMachine, {input: input(fresh), inspect: coverage.inspect}).start()
    actor.send({type: 'service.changed', capabilities: all})
    const followed = createActor(conversationMachine, {input: running(1), inspect: coverage.inspect}).start()
    followed.send({type: 'service.changed', capabilities: all})
    followed.send({type: 'service.changed', capabilities: [...all, 'follow']})
    followed.stop()
    const queued = createActor(
      conversationMachine.provide({
        actors: {answerStream: fromEventObservable<AnswerStreamEvent, AnswerInput>(() => NEVER)},
      }),
      {
        input: input(fresh),
        inspect: coverage.inspect,
      },
    ).start()
    queued.send({type: 'prompt.submit', ...ask})
    queued.send({type: 'slot.awaited', until: 'ended'})
    queued.send({type: 'service.changed', capabilities: all})
    queued.send({type: 'service.changed', capabilities: [...all, 'follow']})
    expect(queued.getSnapshot().value).toEqual({asking: {pending: 'connecting'}})
    queued.stop()
    const awaited = createActor(
      conversationMachine.provide({
        actors: {stopAnswer: fromPromise(() => Promise.reject(Object.assign(new Error('foo'), lostContact('foo'))))},
        actions: {logStopFailure: () => {}},
      }),
      {input: running(1), inspect: coverage.inspect},
    ).start()
    awaited.send({type: 'answer.stop'})
    awaited.send({type: 'prompt.submit', ...ask})
    await waitFor(awaited, (snapshot) => snapshot.matches({failed: 'stopped'}))
    awaited.stop()
    expect(actor.getSnapshot().context.capabilities).toEqual(all)
    expect(coverage.missing(conversationMachine)).toEqual([])
  })

  test('a settled message never changes, but by the server or a new question', () => {
    const changed = edges.filter(({state, event, nextState}) => {
      if (event.type === 'history.loaded' || event.type === 'prompt.submit' || state.matches('yielding')) return false
      if (event.type === 'xstate.done.actor.truncateConversation' || nextState.matches('truncating')) return false
      if (nextState.context.exchange?.key !== state.context.exchange?.key) return false
      const next = chosenIn(nextState.context)
      return chosenIn(state.context).some((message, index) => next[index] !== message)
    })
    expect(changed).toEqual([])
  })

  test('a path is shown without choosing it until something is asked there, and sends none of what waits', () => {
    const visits = edges.filter(({state, nextState}) => state.matches('visiting') || nextState.matches('visiting'))
    expect(visits.length).toBeGreaterThan(0)
    for (const {event, nextState} of visits) {
      expect(nextState.matches('visiting')).toBe(nextState.context.visit !== undefined)
      if (nextState.matches('asking') || nextState.matches('truncating'))
        expect(['prompt.submit', 'followUp.due', 'answer.retry', 'answer.regenerate', 'message.edit']).toContain(
          event.type,
        )
    }
  })

  test('only [DONE], or a server that has the whole answer, finishes', () => {
    const finishing = edges.filter(
      ({state, nextState}) =>
        !state.matches('finished') &&
        // what could not be asked, or was asked before, leaves the answer that was there
        state.context.before === undefined &&
        nextState.context.messages.length >= state.context.messages.length &&
        nextState.matches('finished') &&
        state.context.exchange,
    )
    const kinds = new Set(finishing.map(({event}) => event.type))
    expect([...kinds].sort()).toEqual(['answer.completed', 'xstate.done.actor.retrieveConversation'])
  })

  test('losing contact is never a stop', () => {
    const lost = edges.filter(
      ({event}) => event.type.startsWith('xstate.after') || event.type.endsWith('actor.answerStream'),
    )
    const stopped = lost.filter(
      ({state, nextState}) =>
        state.context.exchange !== undefined &&
        nextState.matches({failed: 'stopped'}) &&
        !state.hasTag('stopped') &&
        state.context.before === undefined,
    )
    expect(stopped).toEqual([])
  })

  test('a delta lands only in its conversation, message and attempt, and only once', () => {
    const landed = edges.filter(
      ({state, event, nextState}) =>
        event.type === 'answer.received' && nextState.context.exchange?.answer !== state.context.exchange?.answer,
    )
    expect(landed.length).toBeGreaterThan(0)
    for (const {state, event} of landed) {
      // as: filtered above
      const delta = event as (typeof conversationEvents)['answer.received'][number]
      const {exchange, id} = state.context
      expect([delta.conversation, delta.message, delta.attempt]).toEqual([
        id ?? 'foo',
        exchange?.message,
        exchange?.attempt,
      ])
      expect(delta.seq).toBeGreaterThan(exchange?.lastSeq ?? Number.NaN)
    }
  })

  test('an answer that was given up is asked for only after the server was', () => {
    const isAskedAgain = (key: string | undefined) => key === 'key-2'
    const left = edges.filter(
      ({state, event}) => state.matches({failed: {interrupted: 'lost'}}) && event.type === 'answer.retry',
    )
    expect(left.length).toBeGreaterThan(0)
    expect(left.filter(({nextState}) => isAskedAgain(nextState.context.exchange?.key))).toEqual([])
    const read = edges.filter(
      ({state, nextState}) =>
        state.matches({reconciling: 'rereading'}) && isAskedAgain(nextState.context.exchange?.key),
    )
    const kinds = new Set(read.map(({event}) => event.type))
    expect([...kinds].sort()).toEqual([
      'xstate.done.actor.retrieveConversation',
      'xstate.error.actor.retrieveConversation',
    ])
  })

  test('a repeat that was planned is asked or forgotten', () => {
    const planned = edges.filter(
      ({nextState}) => nextState.context.plan !== undefined && !nextState.matches({reconciling: 'rereading'}),
    )
    expect(planned.filter(({state}) => state.matches({reconciling: 'rereading'}))).toEqual([])
  })

  test('partial text is kept by every end, or is what the server has of it', () => {
    const endings = edges.filter(
      ({state, nextState}) =>
        state.context.exchange &&
        !nextState.context.exchange &&
        !state.matches('yielding') &&
        // nothing was asked: the thread is as it was
        state.context.before === undefined &&
        // the server's copies above are those of `foo`
        state.context.id !== 'other',
    )
    expect(endings.length).toBeGreaterThan(0)
    for (const {state, event, nextState} of endings) {
      const last = nextState.context.messages.at(-1)
      expect(last?.role).toBe('assistant')
      if (event.type === 'xstate.done.actor.retrieveConversation') {
        // as: the end of an invoked actor has its output
        const copy = (event as {output?: Conversation}).output?.messages.at(-1)
        const isEarlier = state.context.messages.some(({id}) => id === copy?.id)
        if (copy?.role === 'assistant' && copy.state === 'failed' && !isEarlier) {
          expect(last?.content).toBe(copy.content)
          continue
        }
      }
      expect(messageText(last?.content ?? '').startsWith(state.context.exchange?.answer ?? '-')).toBe(true)
    }
  })

  test('no question is lost before a server took it', () => {
    const waiting = edges.filter(
      // one that was asked too early goes back to those that wait (conversation-occupied.test.ts)
      ({state, nextState}) =>
        isUnnamed(state.context) &&
        !(
          state.matches('yielding') &&
          nextState.context.exchange === undefined &&
          nextState.context.messages.at(-1)?.state !== 'failed'
        ),
    )
    expect(waiting.length).toBeGreaterThan(0)
    const lost = waiting.filter(({state, nextState: {context}}) => {
      const own = state.context.exchange?.question
      const kept = [
        ...context.messages.map(({content}) => messageText(content)),
        context.exchange?.question,
        context.plan?.question,
        context.rejection?.question,
      ]
      return !kept.includes(own)
    })
    expect(lost).toEqual([])
  })

  test('one exchange at a time: a question is refused while one runs, until its stop is only repeated or it is over and only read again', () => {
    const asked = edges.filter(
      ({state, event, nextState}) =>
        event.type === 'prompt.submit' &&
        state.context.exchange &&
        nextState.context.messages !== state.context.messages,
    )
    const states = new Set(asked.map(({state}) => JSON.stringify(state.value)))
    const ends = {
      '{"reconciling":"rereading"}': {outcome: 'interrupted'},
      '{"stopping":"offline"}': {outcome: 'stopped', unconfirmed: true},
      '{"stopping":"waiting"}': {outcome: 'stopped', unconfirmed: true},
    }
    expect([...states].sort()).toEqual(Object.keys(ends))
    for (const {state, nextState} of asked) {
      const [last, next] = nextState.context.messages.slice(-2)
      const end = Object.entries(ends).find(([name]) => name === JSON.stringify(state.value))?.[1]
      expect(last).toMatchObject({...end, content: state.context.exchange?.answer})
      expect(next?.role).toBe('user')
    }
  })
})
