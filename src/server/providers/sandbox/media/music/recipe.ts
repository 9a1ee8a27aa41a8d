import {z} from '#contract/schema.ts'
import {compose, type Composition} from './composition.ts'

/*
 * How the sandbox composed a song, kept in the file itself: what works on a song later plays the same notes again.
 */

const composed = z.object({
  words: z.string(),
  seed: z.number(),
  isInstrumental: z.boolean(),
  isContinuation: z.boolean(),
  isVerseFirst: z.optional(z.boolean()),
  seconds: z.optional(z.number()),
  arrangement: z.optional(z.object({words: z.string(), seed: z.number()})),
})
/** One stretch of a song, as many packets of its file long. Without `composed` it is somebody's recording. */
const part = z.object({
  packets: z.number(),
  composed: z.optional(composed),
  /** It goes on from another song: so many packets of that one come before it. */
  follows: z.optional(z.number()),
})
const recipe = z.array(part)

export type Composed = z.output<typeof composed>
export type Part = z.output<typeof part>

const tagName = 'Atrium sandbox recipe'
const modelName = 'Atrium sandbox model'

/** The raw tags that keep a recipe. */
export const recipeTags = (parts: readonly Part[] | undefined, model: string | undefined) => ({
  TXXX: {...(parts && {[tagName]: JSON.stringify(parts)}), ...(model !== undefined && {[modelName]: model})},
})

function textsOf(raw: Record<string, unknown> | undefined): Record<string, string> | undefined {
  const texts = z.safeParse(z.record(z.string(), z.string()), raw?.['TXXX'])
  return texts.success ? texts.data : undefined
}

export function readRecipe(raw: Record<string, unknown> | undefined): Part[] | undefined {
  try {
    const read = z.safeParse(recipe, JSON.parse(textsOf(raw)?.[tagName] || 'null'))
    return read.success ? read.data : undefined
  } catch {
    return undefined // somebody else's words under our name
  }
}

/** The first packets of a song. */
export function firstParts(parts: readonly Part[], packets: number): Part[] {
  const kept: Part[] = []
  let left = packets
  for (const each of parts) {
    if (left <= 0) break
    kept.push({...each, packets: Math.min(left, each.packets)})
    left -= each.packets
  }
  return kept
}

/** The model that was asked for when a song was composed. */
export const readModel = (raw: Record<string, unknown> | undefined): string | undefined => textsOf(raw)?.[modelName]

export const composeAgain = ({words, ...options}: Composed): Composition => compose(words, options)
