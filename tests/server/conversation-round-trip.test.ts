import {afterAll, beforeAll, expect, test} from 'vitest'
import type {ConversationTree} from '#contract/imports.ts'
import {toExportFile} from '#domain/conversation-file.ts'
import {toRecord} from '#domain/conversation.ts'
import {readAtrium} from '#domain/import-atrium.ts'
import {partsOf, type ImportItem} from '#domain/import-file.ts'
import {createAiServer, createAsker, post, type AiServer} from './ai.harness.ts'
import {createScriptedProvider} from './scripted-provider.ts'
import {createImports, item} from './imports.fixtures.ts'
import {long} from '../long.ts'

let on: AiServer

beforeAll(async () => {
  on = await createAiServer({providers: [createScriptedProvider().provider], config: {limitFactor: 100}})
})
afterAll(() => on.close())

const {send, retrieve, listed, trees} = createImports(() => on)

/** A generated tree of messages; the same number makes the same tree. */
function generatedTree(seed: number): ImportItem['messages'] {
  let state = seed
  const random = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
  return Array.from({length: 1 + random(30)}, (_, index) => {
    const parent = index === 0 || random(8) === 0 ? null : random(index)
    const content =
      random(4) === 0
        ? [
            {type: 'text' as const, text: `q${index} \u{1F600} العربية`},
            {type: 'image_url' as const, image_url: 'https://foo.test/a.png'},
          ]
        : `m${index}\n\n<b>${seed}</b>`
    const time = {
      created_at: 1_700_000_000 + random(10_000),
      ...(index % 3 === 0 && {hidden_at: 1_700_020_000 + index}),
    }
    if (random(2) === 0) return {role: 'user' as const, content, parent, ...time}
    return {
      role: 'assistant' as const,
      content,
      parent,
      ...time,
      model: `model-${random(3)}`,
      ...(random(4) === 0
        ? {state: 'failed' as const, outcome: 'refused' as const, error: {code: 'busy', message: 'Later.'}}
        : {state: 'finished' as const}),
    }
  })
}

/**
 * Returns a conversation without its ids: each path with the position of each message among its versions, and which is
 * shown.
 */
function paths({messages, current}: ConversationTree): {path: string[]; isShown: boolean}[] {
  const step = (index: number) => {
    const {id: _id, content, created_at: _, parent, ...facts} = messages[index] ?? {}
    const earlier = messages.slice(0, index).filter((other) => other.parent === parent).length
    return JSON.stringify([earlier, content, facts])
  }
  const pathTo = (index: number | null | undefined): string[] =>
    index == null ? [] : [...pathTo(messages[index]?.parent), step(index)]
  const shown = JSON.stringify(pathTo(current))
  return messages
    .map((_, index) => pathTo(index))
    .map((path) => ({path, isShown: JSON.stringify(path) === shown}))
    .toSorted((a, b) => JSON.stringify(a.path).localeCompare(JSON.stringify(b.path)))
}

const comesBack = async (seed: number) => {
  const asker = await createAsker(on)
  const messages = generatedTree(seed)
  const [first] = await send(asker, [
    item({messages, current: messages.length - 1, preset: 'Be brief.', archived: seed % 2 === 0, labels: ['foo']}),
  ])
  const before = await trees(asker, [first?.id ?? ''])
  const record = toRecord(await retrieve(asker, first?.id ?? ''), 'foo')
  const byId = new Map(before.map((tree) => [tree.id, tree]))
  const file: unknown = JSON.parse(JSON.stringify(toExportFile([record], '2026-01-01T00:00:00.000Z', new Map(), byId)))
  await post(on, asker, {action: 'delete', id: first?.id})
  expect(await listed(asker)).toEqual([])
  const {conversations: read, faulty} = readAtrium(file)
  expect(faulty).toEqual([])
  const [again] = await send(asker, read.flatMap(partsOf))
  expect(again).toEqual({source_id: first?.id, state: 'imported', id: expect.any(String)})
  const after = await trees(asker, [again?.id ?? ''])
  const [treeBefore, treeAfter] = [before[0], after[0]]
  if (treeBefore === undefined || treeAfter === undefined) throw new Error('There is no tree')
  expect({...treeAfter, id: '', messages: [], current: 0}).toEqual({...treeBefore, id: '', messages: [], current: 0})
  expect(paths(treeAfter)).toEqual(paths(treeBefore))
  expect(paths(treeBefore).filter(({isShown}) => isShown)).toHaveLength(1)
  const shown = await retrieve(asker, again?.id ?? '')
  expect(shown.messages.map(({content}) => content)).toEqual(record.messages.map(({content}) => content))
}
const name = 'what is exported, deleted and imported is what it was (tree %i)'
test.each([1, 2, 3])(name, comesBack)
test.each([4, 5, 6, 7, 8, 9, 10, 11, 12])(name, long, comesBack)
