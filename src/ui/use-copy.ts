import {useEffect, useRef, useState} from 'react'
import {writeClipboard} from './clipboard.ts'

/** How long the tick stays, in ms (design §10). */
const tickTime = 1_200

export type CopyResult = {value: string; outcome: 'copied' | 'copyFailed'}

/** Copies a text, and for a moment knows how that went: shown where it was pressed and said in a live region. */
export function useCopy(write: (value: string) => Promise<void> = writeClipboard) {
  const [result, setResult] = useState<CopyResult>()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const show = (next: CopyResult) => {
    setResult(next)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setResult(undefined), tickTime)
  }
  const copy = (value: string) => {
    write(value).then(
      () => show({value, outcome: 'copied'}),
      () => show({value, outcome: 'copyFailed'}),
    )
  }
  return {result, copy}
}
