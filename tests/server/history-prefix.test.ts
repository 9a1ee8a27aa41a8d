import {expect, test} from 'vitest'
import type {ChatMessage} from '#contract/chat.ts'
import type {MessageRow} from '#server/ai/conversations.ts'
import {isPrefixOf} from '#server/ai/history-prefix.ts'

const row = (outcome: string, content = 'foobar') =>
  // as: the rule reads these columns only
  ({id: 'm', role: 'assistant', state: 'failed', outcome, content}) as unknown as MessageRow
const given = (content: string, id: string | undefined = 'm'): ChatMessage => ({
  role: 'assistant',
  content,
  ...(id && {id}),
})

test.each([
  ['a stopped answer whose last words were not shown', row('stopped'), given('foo'), true],
  ['an interrupted answer of which more was shown', row('interrupted'), given('foobarbaz'), true],
  ['a stopped answer with other words', row('stopped'), given('fox'), false],
  ['a stopped answer without its id', row('stopped'), {role: 'assistant' as const, content: 'foo'}, false],
  ['a refused answer cut short', row('refused'), given('foo'), false],
  ['the same text', row('refused'), given('foobar'), true],
])('%s', (_, stored, message, expected) => expect(isPrefixOf([message], [stored])).toBe(expected))
