import {expect, test} from 'vitest'
import {newestFirst} from '#features/media/feed/card.ts'
import {toolNamed} from '#tests/contract/media/all-tools.ts'

const composed = 'https://files.test/a.png a boat --version 6.1 --aspect 16:9'
const {tool} = toolNamed('midjourney')

test('a card names the words of its request, before and after it is a task, without addresses and flags', () => {
  const cards = newestFirst(tool, [
    {
      kind: 'task',
      key: 'foo',
      at: 1,
      isLost: false,
      isGone: false,
      record: {
        task: {id: 'foo', type: 'imagine', created_at: 1, request: {action: 'generate', prompt: composed}},
        status: 'running',
        reading: {artifacts: []},
      },
    },
    {
      kind: 'request',
      key: 'bar',
      at: 2,
      request: {
        key: 'bar',
        tool: 'midjourney',
        submission: {operation: 'imagine', body: {action: 'generate', prompt: composed}},
        at: 2,
        state: 'sending',
      },
    },
  ])
  expect(cards.map(({tool: id, prompt}) => [id, prompt])).toEqual([
    ['midjourney', 'a boat'],
    ['midjourney', 'a boat'],
  ])
  // what is sent again is what was sent
  expect(cards.map(({request}) => request.prompt)).toEqual([composed, composed])
})
