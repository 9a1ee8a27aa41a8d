import {useEffect, useState} from 'react'
import type {ConversationListActor} from '#machines/conversation-list/conversation-list.machine.ts'

/** A state that stays with a list when its view goes, as a drawer that closes takes the view away. */
export function keptWith<Value>(first: Value) {
  const values = new WeakMap<ConversationListActor, Value>()
  return function useKept(list: ConversationListActor) {
    const [value, setValue] = useState(() => values.get(list) ?? first)
    useEffect(() => {
      values.set(list, value)
    }, [list, value])
    return [value, setValue] as const
  }
}
