import type {MediaPlan, MediaTool, Operation} from '#contract/media/media-tool.ts'
import {z} from '#contract/schema.ts'
import {isSameData} from '#domain/same-data.ts'

type Body = Record<string, unknown>

/** Fields with another judge: the operator chooses the model, the plan checks the action, the call has a deadline. */
const judgedElsewhere = ['model', 'action', 'timeout']
/**
 * The first field of a request that is not at its default and has no effect at these servers: the plan of the operation
 * does not read it, or puts it only into parts that are not sent. The plan is asked, so no tool is named here.
 */
export function unsentField(tool: MediaTool, operation: Operation, body: Body): string | undefined {
  const readKeys = new Set<PropertyKey>()
  const proxy = new Proxy(body, {
    get: (target, key) => {
      readKeys.add(key)
      const value: unknown = Reflect.get(target, key)
      return value
    },
  })
  const plan = operation.plan(proxy)
  const usual = z.parse(tool.form, {})
  return Object.keys(body).find((name) => {
    if (judgedElsewhere.includes(name)) return false
    const {[name]: value, ...rest} = body
    const without = z.safeParse(operation.body, rest)
    // as: bodies of operations are objects, as their requests were
    const other = without.success ? (without.data as Body) : undefined
    if (readKeys.has(name)) {
      const otherPlan = other && operation.plan(other)
      const isCarried = !otherPlan || isSameData(plan, otherPlan) || !isSameData(sentOf(plan), sentOf(otherPlan))
      if (isCarried) return false
    }
    const initial = other?.[name]
    return !isNothing(value, initial) && !isSameData(value, initial) && !isSameData(value, usual[name])
  })
}

const sentOf = ({prompt, words, count, aspectRatio, followsSource, durationSeconds, sources}: MediaPlan) => ({
  words: words ?? prompt,
  count,
  aspectRatio,
  followsSource,
  durationSeconds,
  sources,
})

/** The value has the same effect as none. */
const isNothing = (value: unknown, initial: unknown): boolean =>
  value == null || value === '' || (value === false && initial !== true) || (Array.isArray(value) && value.length === 0)
