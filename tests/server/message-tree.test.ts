import {expect, test} from 'vitest'
import {lastShownAfter, type MessageNode} from '#server/ai/message-tree.ts'

test('the newest messages behind one are found in as many steps as there are messages', () => {
  let reads = 0
  const node = (id: string, parent: string | null, position: number): MessageNode => ({
    id,
    get parentId() {
      reads += 1
      return parent
    },
    position,
    isCurrent: false,
    shownUntil: new Date(0),
    role: 'user',
  })
  const chain = Array.from({length: 1_000}, (_, index) => [
    node(`older ${index}`, index === 0 ? null : String(index - 1), index),
    node(String(index), index === 0 ? null : String(index - 1), index),
  ]).flat()
  expect(lastShownAfter(chain, '0').map(({id}) => id)).toEqual(
    Array.from({length: 999}, (_, index) => String(index + 1)),
  )
  expect(lastShownAfter(chain, 'older 1')).toEqual([])
  expect(reads).toBeLessThanOrEqual(2 * 2 * chain.length)
})
