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

test('an action of a result goes by the words of that result, and so does one of what it made', () => {
  const made = (id: string, request: Record<string, unknown>, result: string) => ({
    kind: 'task' as const,
    key: id,
    at: Number(id),
    isLost: false,
    isGone: false,
    record: {
      task: {id, type: 'imagine', created_at: Number(id), request},
      status: 'succeeded' as const,
      reading: {artifacts: [{medium: 'image' as const, id: result}]},
    },
  })
  const listed = [
    made('1', {action: 'generate', prompt: 'a boat'}, 'i-1'),
    made('2', {action: 'variation2', image_id: 'i-1'}, 'i-2'),
    made('3', {action: 'upscale1', image_id: 'i-2'}, 'i-3'),
    made('4', {action: 'upscale1', image_id: 'i-0'}, 'i-4'),
  ]
  const cards = newestFirst(tool, listed)
  expect(cards.map(({prompt}) => prompt)).toEqual(['', 'a boat', 'a boat', 'a boat'])
  // a card that stayed as it was is not drawn again
  expect(newestFirst(tool, listed).map((card, index) => card === cards[index])).toEqual([true, true, true, true])
})
