import {useEffect, useMemo} from 'react'
import {useChat} from '../chat.context.tsx'
import {labelColours, withColours} from './labels.ts'

/** The colours of all labels of the list, as CSS; a new label has its colour stored. */
export function useLabelColours(labels: readonly string[]): ReadonlyMap<string, string> {
  const store = useChat().labelColours
  useEffect(() => {
    const storedColours = store.read()
    const next = withColours(storedColours, labels)
    if (next !== storedColours) store.write(next)
  }, [labels, store])
  return useMemo(() => labelColours(labels, store.read()), [labels, store])
}
