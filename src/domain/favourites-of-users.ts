import {z} from '#contract/schema.ts'
import type {FavouriteMarks} from './merge-favourites.ts'
import {ownerMark} from './owner-mark.ts'

/*
 * Favourites belong to a user and no server keeps them: they stay in the browser when the user signs out, under a mark
 * of the user instead of the id, and come back with their next session. Nobody else's session reads them.
 */

/** Users whose favourites stay; the one who left first is forgotten. */
const mostOwners = 3

export const leftFavourites = z.array(
  z.object({owner: z.string(), tools: z.record(z.string(), z.record(z.string(), z.number()))}),
)
type LeftFavourites = z.output<typeof leftFavourites>

const some = (entries: LeftFavourites) => (entries.length === 0 ? undefined : entries)

/** A tool by its id, with what is marked in it. */
export type ToolMarks = readonly [tool: string, marks: FavouriteMarks]

/** With what this user leaves behind now; a user without favourites leaves nothing. */
export function withLeftFavourites(
  leftEntries: LeftFavourites,
  userId: string | undefined,
  marks: readonly ToolMarks[],
): LeftFavourites | undefined {
  if (userId === undefined) return some(leftEntries)
  const owner = ownerMark(userId)
  const tools = Object.fromEntries(marks.filter(([, of]) => Object.values(of).some((time) => time > 0)))
  const others = leftEntries.filter((each) => each.owner !== owner)
  return some(Object.keys(tools).length === 0 ? others : [...others, {owner, tools}].slice(-mostOwners))
}

/** Splits the entries into those that this user left behind, and the rest. */
export function takeFavourites(
  leftEntries: LeftFavourites,
  userId: string,
): {favourites: LeftFavourites | undefined; marks: ToolMarks[]} {
  const owner = ownerMark(userId)
  const rest = leftEntries.filter((each) => each.owner !== owner)
  const own = leftEntries.find((each) => each.owner === owner)?.tools ?? {}
  return {favourites: some(rest), marks: Object.entries(own)}
}
