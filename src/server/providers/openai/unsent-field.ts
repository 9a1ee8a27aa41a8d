import type {MediaTool, Operation} from '#contract/media/media-tool.ts'
import {z} from '#contract/schema.ts'

type Body = Record<string, unknown>

/** Which model makes it is the operator's word; an action is judged by its plan; how long a caller waits is the call's. */
const judgedElsewhere = ['model', 'action', 'timeout']
/** Of a plan, what these servers know nothing of. */
const unknownThere = ['seed']

/**
 * The first field of a request that is not at its default and that nothing is made of for these servers: the plan of the
 * operation does not read it, so no tool is known here by name.
 */
export function unsentField(tool: MediaTool, operation: Operation, body: Body): string | undefined {
  const read = new Set<PropertyKey>(judgedElsewhere)
  const watched = new Proxy(body, {
    get: (target, key) => {
      read.add(key)
      const value: unknown = Reflect.get(target, key)
      return value
    },
  })
  operation.plan(watched)
  for (const name of unknownThere) read.delete(name)
  const usual = z.parse(tool.form, {})
  return Object.keys(body).find((name) => {
    if (read.has(name)) return false
    const {[name]: value, ...rest} = body
    const without = z.safeParse(operation.body, rest)
    // as: bodies of operations are objects, as their requests were
    const initial = without.success ? (without.data as Body)[name] : undefined
    return !isNothing(value, initial) && !isSame(value, initial) && !isSame(value, usual[name])
  })
}

/** As good as unsent. */
const isNothing = (value: unknown, initial: unknown): boolean =>
  value == null || value === '' || (value === false && initial !== true) || (Array.isArray(value) && value.length === 0)

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
