import {z} from '#contract/schema.ts'
import {tuneForm} from './tune.ts'

/* Composition data of a song, stored in the file, so that later work on the song plays the same notes again. */

/** One part of a song and its length in packets of the file. A part without `tune` is an uploaded recording. */
const part = z.object({
  packets: z.number(),
  tune: z.optional(tuneForm),
  /** Continues another song after this many of its packets. */
  follows: z.optional(z.number()),
})
const recipe = z.array(part)

export type Part = z.output<typeof part>

const recipeName = 'Atrium sandbox recipe'
const modelName = 'Atrium sandbox model'

/** Raw tags with a recipe and the requested model. */
export const recipeTags = (parts: readonly Part[] | undefined, model: string | undefined) => ({
  TXXX: {...(parts && {[recipeName]: JSON.stringify(parts)}), ...(model !== undefined && {[modelName]: model})},
})

function textOf(raw: Record<string, unknown> | undefined, name: string): string | undefined {
  const texts = z.safeParse(z.record(z.string(), z.string()), raw?.['TXXX'])
  return texts.success ? texts.data[name] : undefined
}

export function readRecipe(raw: Record<string, unknown> | undefined): Part[] | undefined {
  try {
    const parsing = z.safeParse(recipe, JSON.parse(textOf(raw, recipeName) ?? 'null'))
    return parsing.success ? parsing.data : undefined
  } catch {
    return undefined // text of another program in our field
  }
}

export const readModel = (raw: Record<string, unknown> | undefined) => textOf(raw, modelName)

/** The first packets of a song. */
export function firstParts(parts: readonly Part[], packets: number): Part[] {
  let remaining = packets
  return parts.flatMap((each) => {
    const keptPackets = Math.min(remaining, each.packets)
    remaining -= keptPackets
    return keptPackets > 0 ? [{...each, packets: keptPackets}] : []
  })
}
