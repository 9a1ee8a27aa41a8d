import {NEVER} from 'rxjs'
import {expect, test} from 'vitest'
import {followed$, openFeed} from '#app/logic/answer-feed.logic.ts'
import type {AnswerInput} from '#domain/answer.ts'
import {ready} from './machines/start-root.ts'

test('the stream that all tabs share is a part of the session from its first use on', async () => {
  const {root, deps} = await ready()
  const {system} = root.actor
  const open = openFeed(deps, root.services, {tell: () => undefined, words$: () => NEVER})
  expect(system.get('answerFeed')).toBeUndefined()
  const feed = open(system) ?? expect.fail('It did not start')
  expect(feed.getSnapshot()).toMatchObject({status: 'active', value: 'idle', context: {userId: 'u-1'}})
  expect(open(system)).toBe(feed)
  root.actor.stop()
  expect(feed.getSnapshot().status).toBe('stopped')
})

test('without a session nothing is followed', async () => {
  const {root, deps} = await ready()
  root.actor.stop()
  const open = openFeed(deps, root.services, {tell: () => undefined, words$: () => NEVER})
  // as: what is followed does not matter
  expect(() =>
    followed$(open(root.actor.system), 'foo', {exchange: {}} as AnswerInput)
      .subscribe()
      .unsubscribe(),
  ).not.toThrow()
})
