import {expect, test} from 'vitest'
import {readTrees} from '#app/chat/read-trees.ts'
import type {ConversationTree} from '#contract/imports.ts'

const tree = (id: string): ConversationTree => ({id, model: 'foo', created_at: 0, updated_at: 0, messages: []})

test('each answer is reported; an attempt asks for what the one before has not read, and not for what the server lacks', async () => {
  const ids = Array.from({length: 50}, (_, index) => String(index))
  const asked: string[][] = []
  const chat: Parameters<typeof readTrees>[0] = {
    // as: the answer of the one command that there is
    command: (async (_: unknown, {ids: batch}: {ids: string[]}) => {
      asked.push(batch)
      if (asked.length === 3) throw new Error('foo')
      return {items: batch.filter((id) => id !== '49').map(tree)}
    }) as never,
  }
  const trees = new Map<string, ConversationTree>()
  const reports: number[] = []
  const read = () =>
    readTrees(chat, ids, {trees, report: (count) => reports.push(count), signal: new AbortController().signal})
  await expect(read()).rejects.toThrow('foo')
  expect(reports).toEqual([0, 20, 40])
  await read()
  expect(reports.slice(3)).toEqual([40, 49, 50])
  expect(asked.slice(3)).toEqual([ids.slice(40), ['49']])
  expect([...trees.keys()]).toEqual(ids.slice(0, 49))
})
