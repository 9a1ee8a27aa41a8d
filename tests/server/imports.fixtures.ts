import {expect} from 'vitest'
import type {Conversation} from '#contract/chat.ts'
import {exportAnswer, importAnswer, type ConversationTree} from '#contract/imports.ts'
import type {ImportItem} from '#domain/import-file.ts'
import {post, type AiServer, type Asker} from './ai.harness.ts'

/** Imports and reads conversations on `on`, which tests open before all of them. */
export function createImports(on: () => AiServer) {
  const send = async (asker: Asker, items: object[]) => {
    const answer = await post(on(), asker, {action: 'import', items})
    expect(answer.status).toBe(200)
    return importAnswer.parse(await answer.json()).items
  }
  const retrieve = async (asker: Asker, id: string): Promise<Conversation> =>
    // as: the contract tests check this answer
    (await (await post(on(), asker, {action: 'retrieve', id})).json()) as Conversation
  const listed = async (asker: Asker): Promise<Conversation[]> =>
    // as: the contract tests check this answer
    ((await (await post(on(), asker, {action: 'retrieve_batch'})).json()) as {items: Conversation[]}).items
  const trees = async (asker: Asker, ids: string[]): Promise<ConversationTree[]> =>
    exportAnswer.parse(await (await post(on(), asker, {action: 'export', ids})).json()).items
  return {send, retrieve, listed, trees}
}

/** A conversation of one question and its answer. */
export const item = (given: Partial<ImportItem> = {}): ImportItem => {
  const messages = given.messages ?? [
    {role: 'user', content: 'How?', parent: null, created_at: 1_700_000_000},
    {role: 'assistant', content: 'So.', parent: 0, model: 'gpt-4-turbo', created_at: 1_700_000_001.5},
  ]
  return {
    source: 'chatgpt',
    source_id: 'foo',
    title: 'Kites',
    model: 'gpt-4-turbo',
    updated_at: 1_700_000_100,
    from: 0,
    total: messages.length,
    ...given,
    messages,
  }
}
