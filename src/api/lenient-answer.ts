import {z} from '#contract/schema.ts'

type Path = readonly PropertyKey[]

const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  )

/** Path of an issue; in a union, the path in the branch that was read furthest. */
const pathOf = (issue: z.core.$ZodIssue): Path => {
  const branches = issue.code === 'invalid_union' ? issue.errors.flat().map(pathOf) : []
  return [...issue.path, ...branches.reduce((furthest, path) => (path.length > furthest.length ? path : furthest), [])]
}

/** Path to remove for an issue: the value itself or, if the value is missing, its parent. */
const oddPath = (answer: unknown, path: Path): Path =>
  path.length > 0 && valueAt(answer, path) === undefined ? oddPath(answer, path.slice(0, -1)) : path

/** Removes the values from the answer: object keys and list items (lists close up). */
const leaveOut = (answer: unknown, odd: readonly Path[]) => {
  const lists = new Set<unknown[]>()
  for (const path of odd) {
    const holder = valueAt(answer, path.slice(0, -1))
    const key = path.at(-1)
    if (typeof holder !== 'object' || holder === null || key === undefined) continue
    Reflect.deleteProperty(holder, key)
    if (Array.isArray(holder)) lists.add(holder)
  }
  // `flat` skips the holes that deleting left
  for (const list of lists) list.splice(0, list.length, ...list.flat(0))
}

/**
 * Reads another server's answer without its unreadable parts. For each issue the smallest removable part goes: an
 * optional value, else the list item around it. `left` holds the removed paths. Undefined if the answer as a whole does
 * not fit. Mutates the answer, which must be the caller's own JSON.
 */
export const readLeniently = <T>(
  schema: z.core.$ZodType<T>,
  answer: unknown,
  leftPaths: readonly string[] = [],
): {data: T; left: readonly string[]} | undefined => {
  const result = z.safeParse(schema, answer)
  if (result.success) return {data: result.data, left: leftPaths}
  const odd = result.error.issues.map((issue) => oddPath(answer, pathOf(issue)))
  if (odd.some((path) => path.length === 0)) return undefined
  leaveOut(answer, odd)
  return readLeniently(schema, answer, [...leftPaths, ...new Set(odd.map((path) => path.join('.')))])
}
