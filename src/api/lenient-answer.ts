import {z} from '#contract/schema.ts'

type Path = readonly PropertyKey[]

const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  )

/** Where a complaint lies; of a union where the branch lies that was read furthest. */
const pathOf = (issue: z.core.$ZodIssue): Path => {
  const branches = issue.code === 'invalid_union' ? issue.errors.flat().map(pathOf) : []
  return [...issue.path, ...branches.reduce((furthest, path) => (path.length > furthest.length ? path : furthest), [])]
}

/** What has to go for a complaint: the value there or, where it is missing, the one that it is missing in. */
const oddPath = (answer: unknown, path: Path): Path =>
  path.length > 0 && valueAt(answer, path) === undefined ? oddPath(answer, path.slice(0, -1)) : path

/** Takes the values out of the answer: keys of objects, and items of lists, whose others close up. */
const leaveOut = (answer: unknown, odd: readonly Path[]) => {
  const lists = new Set<unknown[]>()
  for (const path of odd) {
    const holder = valueAt(answer, path.slice(0, -1))
    const key = path.at(-1)
    if (typeof holder !== 'object' || holder === null || key === undefined) continue
    Reflect.deleteProperty(holder, key)
    if (Array.isArray(holder)) lists.add(holder)
  }
  // `flat` passes over the holes that deleting left
  for (const list of lists) list.splice(0, list.length, ...list.flat(0))
}

/**
 * Another server's answer without what cannot be read of it: the smallest thing around each oddity goes, an optional
 * value, else the item of the list it is in. `left` is where they were. Nothing when the answer as a whole has another
 * form. The answer must be JSON of the caller's own: it is changed.
 */
export const readLeniently = <T>(
  schema: z.core.$ZodType<T>,
  answer: unknown,
  left: readonly string[] = [],
): {data: T; left: readonly string[]} | undefined => {
  const result = z.safeParse(schema, answer)
  if (result.success) return {data: result.data, left}
  const odd = result.error.issues.map((issue) => oddPath(answer, pathOf(issue)))
  if (odd.some((path) => path.length === 0)) return undefined
  leaveOut(answer, odd)
  return readLeniently(schema, answer, [...left, ...new Set(odd.map((path) => path.join('.')))])
}
