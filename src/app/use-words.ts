import {use, useEffect, useState} from 'react'
import {useAppInfo, type AppInfo} from './app-info.tsx'
import type {MessagePart} from './locale-messages.ts'

type Prepare = AppInfo['prepareWords']

/** By the store of messages, of which a page has one. */
const loads = new WeakMap<Prepare, Partial<Record<MessagePart, Promise<boolean>>>>()

const loadsOf = (prepare: Prepare) => {
  const partLoads = loads.get(prepare) ?? {}
  loads.set(prepare, partLoads)
  return partLoads
}

/** Loads a part of the messages for views that may soon suspend until it is there. */
export const loadWords = (prepare: Prepare, part: MessagePart): Promise<boolean> =>
  (loadsOf(prepare)[part] ??= prepare(part))

/**
 * Suspends until a part of the messages is loaded or has failed; the view shows in either case. A failed part is
 * forgotten when the view goes, so that the next one loads it anew: forgotten earlier, it would suspend without end.
 */
export function useWords(part: MessagePart): void {
  const {prepareWords} = useAppInfo()
  // another view may forget the part while this one shows
  const [load] = useState(() => loadWords(prepareWords, part))
  const isThere = use(load)
  useEffect(
    () => () => {
      if (!isThere) loadsOf(prepareWords)[part] = undefined
    },
    [isThere, prepareWords, part],
  )
}
