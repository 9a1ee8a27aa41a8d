import {useSyncExternalStore} from 'react'
import {createValueStore, type ValueStore} from '#browser/value-store.ts'
import type {ConversationListActor} from '#machines/conversation-list/conversation-list.machine.ts'

/** A state that stays with a list when its view goes, as a drawer that closes takes the view away. The store has the newest value at once. */
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
