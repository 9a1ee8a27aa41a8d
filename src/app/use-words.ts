import {use} from 'react'
import {useAppInfo} from './app-info.tsx'
import type {MessagePart} from './messages.ts'

type Prepare = (part: MessagePart) => Promise<void>

/** By the store of messages, of which a page has one. */
const loads = new WeakMap<Prepare, Map<MessagePart, Promise<void>>>()

/** Suspends until a part of the messages is loaded. */
export function useWords(part: MessagePart): void {
  const {prepareWords} = useAppInfo()
  const partLoads = loads.get(prepareWords) ?? new Map<MessagePart, Promise<void>>()
  loads.set(prepareWords, partLoads)
  const load = partLoads.get(part) ?? prepareWords(part)
  partLoads.set(part, load)
  use(load)
}
