import {vi} from 'vitest'
import type {BulkStore} from '#browser/bulk-database.ts'

/** A database in memory, with its items. */
export const createStore = () => {
  const items = new Map<string, unknown>()
  const store: BulkStore = {
    getItem: vi.fn(async (key: string) => structuredClone(items.get(key) ?? null)),
    setItem: vi.fn(async (key: string, value: unknown) => items.set(key, structuredClone(value))),
    removeItem: vi.fn(async (key: string) => void items.delete(key)),
    keys: vi.fn(async () => Array.from(items.keys())),
  }
  return {items, store}
}
export const record = (key: string, updatedAt: number, text = 'foo') => ({
  key,
  model: 'gpt-4o-all',
  messages: [{role: 'assistant' as const, content: text, state: 'answering' as const, seq: 3}],
  updatedAt,
})
