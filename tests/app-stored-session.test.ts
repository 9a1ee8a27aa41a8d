import {expect, test} from 'vitest'
import {joinStored} from '../src/app/logic/stored-session.ts'
import type {ConversationRecord} from '#domain/conversation.ts'

const record = (key: string, id?: string): ConversationRecord => ({
  key,
  ...(id === undefined ? {} : {id}),
  model: 'gpt-5-all',
  messages: [{role: 'user', content: key, state: 'finished'}],
  updatedAt: 1,
})

test('a conversation that was named as the page went keeps its name, and is listed once', () => {
  const whole = [record('left'), record('named', 'server-1'), record('unnamed')]
  const recent = [{...record('left', 'server-2'), messages: []}, record('elsewhere', 'server-3')]
  expect(joinStored(whole, recent)).toEqual([
    record('left', 'server-2'),
    record('named', 'server-1'),
    record('unnamed'),
    record('elsewhere', 'server-3'),
  ])
})
