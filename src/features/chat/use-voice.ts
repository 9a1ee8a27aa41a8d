import {useCallback, useEffect, useMemo, useRef, useState} from 'react'
import type {ReadAloudActor} from '#machines/read-aloud/read-aloud.machine.ts'
import {useChat} from './chat.context.tsx'

export type Voice = {
  /** Absent until the first answer is read. */
  actor: ReadAloudActor | undefined
  read: (index: number, text: string) => void
}

const isActive = (voice: ReadAloudActor) => voice.getSnapshot().status === 'active'

function end(voice: ReadAloudActor) {
  if (isActive(voice)) voice.send({type: 'thread.left'})
}

/** The voice of a thread; it falls silent when the thread is left. */
export function useVoice(): Voice {
  const {startVoice} = useChat()
  const [actor, setActor] = useState<ReadAloudActor>()
  const threadLeft = useRef<AbortSignal>(undefined)
  useEffect(() => {
    const leaving = new AbortController()
    threadLeft.current = leaving.signal
    return () => leaving.abort()
  }, [])
  useEffect(() => () => actor && end(actor), [actor])
  const read = useCallback(
    (index: number, text: string) => {
      const start = (voice: ReadAloudActor) => voice.send({type: 'reading.start', index, text})
      // one that broke is replaced
      if (actor && isActive(actor)) return start(actor)
      const signal = threadLeft.current
      void startVoice().then((voice) => {
        // its code may come after the thread was left, where no button is that stops it
        if (signal?.aborted) return end(voice)
        setActor(voice)
        start(voice)
      })
    },
    [actor, startVoice],
  )
  return useMemo(() => ({actor, read}), [actor, read])
}
