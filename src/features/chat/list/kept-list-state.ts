import {useSyncExternalStore} from 'react'
import {createValueStore, type ValueStore} from '#browser/value-store.ts'
import type {ConversationListActor} from '#machines/conversation-list/conversation-list.machine.ts'

/** A state that outlives the view of a list, as when a drawer closes. The store has the newest value at once. */
export function keptWith<Value>(first: Value) {
  const stores = new WeakMap<ConversationListActor, ValueStore<Value>>()
  const storeOf = (list: ConversationListActor) => {
    const store = stores.get(list) ?? createValueStore(first)
    stores.set(list, store)
    return store
  }
  return function useKept(list: ConversationListActor) {
    const store = storeOf(list)
    return [useSyncExternalStore(store.subscribe, store.get), store] as const
  }
}
