import {useState} from 'react'
import {writeClipboard} from './clipboard.ts'

/** How long the tick stays, in ms (design §10). */
const tickTime = 1_200

export type CopyResult = {value: string; outcome: 'copied' | 'copyFailed'}

/** Copies a text, and for a moment knows how that went: shown where it was pressed and said in a live region. */
export function useCopy(write: (value: string) => Promise<void> = writeClipboard) {
  const [result, setResult] = useState<CopyResult>()
  const show = (next: CopyResult) => {
    setResult(next)
    // a later copy has the time of its own
    setTimeout(() => setResult((current) => (current === next ? undefined : current)), tickTime)
  }
  const copy = (value: string) => {
    write(value).then(
      () => show({value, outcome: 'copied'}),
      () => show({value, outcome: 'copyFailed'}),
    )
  }
  return {result, copy}
}
