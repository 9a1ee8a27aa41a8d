import {tokensBeyondSize} from '#domain/token-estimate.ts'
import type {ChatInput} from '../../providers/provider.ts'

type ReadFile = NonNullable<ChatInput['storedFile']>

/**
 * Counts the text files that a provider reads by their text: the estimate of a prompt knows their lengths alone, which
 * say little in Chinese or Thai. `more`: tokens that they have beyond that estimate, below zero where it was too high.
 */
export function countFiles(storedFile: ReadFile): {storedFile: ReadFile; more: () => number} {
  let more = 0
  return {
    storedFile: async (url) => {
      const file = await storedFile(url)
      if (file === undefined) return undefined
      const read = async () => {
        const bytes = await file.read()
        // a file of two questions is in the prompt twice
        more += tokensBeyondSize(url, bytes)
        return bytes
      }
      return {...file, read}
    },
    more: () => more,
  }
}
