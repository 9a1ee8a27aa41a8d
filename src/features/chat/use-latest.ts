import {useEffect, useState} from 'react'
import type {Observable} from 'rxjs'

/** The last value of this stream, which is followed while the view is there; `first` until it has one. */
export function useLatest<Value>(stream: Observable<Value>, first: Value): Value {
  const [latest, setLatest] = useState<{of: Observable<Value>; value: Value}>()
  useEffect(() => {
    const subscription = stream.subscribe((value) => setLatest({of: stream, value}))
    return () => subscription.unsubscribe()
  }, [stream])
  return latest?.of === stream ? latest.value : first
}
