/** Stands where a secret was. */
export const hidden = '[hidden]'

/** Field names whose text is always a secret. */
const secretNames =
  /^(access|refresh|(access|refresh|id)_?token|token|bearer|(code_?)?verifier|challenge|secret|client_secret|((current|new)_)?password|authorization|cookie|api_?key)$/i
/** Shapes of secrets, found anywhere. */
const secretShapes = [
  /\bBearer\s+[^\s"']+/gi,
  /\bsk-[\w-]{8,}/g,
  /\beyJ[\w-]+\.[\w-]+\.[\w-]+/g,
  /(?<=[?&#](?:code|state|token|access_token|refresh_token|code_verifier|verifier)=)[^&#\s"']+/gi,
]
const longestText = 20_000
const longestList = 300
const deepest = 40
/** Most values of one message: a graph of shared references would expand without end. */
const mostValues = 20_000

type Fields = Record<string, unknown>
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null

/** A `code` beside words is a failure's code; alone it is a login code. */
const isSecret = (name: string, owner: Fields) =>
  secretNames.test(name) || (name === 'code' && !('detail' in owner) && !('message' in owner))

/** A list or an object literal. Other objects (a subscription, an element) are not expanded. */
const isPlain = (value: object) => {
  if (Array.isArray(value) || value instanceof Error) return true
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype
}

const isActor = (value: Fields) => typeof value.sessionId === 'string' && typeof value.send === 'function'

const entriesOf = (value: Fields): [string, unknown][] =>
  value instanceof Error
    ? [['name', value.name], ['message', value.message], ...Object.entries(value)]
    : Object.entries(value)

export type Sanitizer = (value: unknown) => unknown

/**
 * Converts any value of an actor to plain data without secrets: tokens, keys, login codes and verifiers are hidden if
 * their name or shape reveals them, and after that wherever the same text appears, such as in an error message or an
 * address. Actors become their ids, functions and class instances their names. Never throws.
 */
export const createSanitizer = (): Sanitizer => {
  const secrets = new Set<string>()
  let budget = mostValues

  const learn = (value: unknown, depth: number, visits: Set<object>) => {
    if (!isFields(value) || depth > deepest || visits.has(value) || isActor(value) || !isPlain(value)) return
    visits.add(value)
    for (const [name, field] of entriesOf(value)) {
      if (typeof field === 'string' && field.length >= 8 && isSecret(name, value)) secrets.add(field)
      learn(field, depth + 1, visits)
    }
  }

  const cleanText = (text: string) => {
    let clean = text
    for (const secret of secrets) clean = clean.replaceAll(secret, hidden)
    for (const shape of secretShapes) clean = clean.replace(shape, hidden)
    return clean.length > longestText ? `${clean.slice(0, longestText)}… (${clean.length} characters)` : clean
  }

  /** The end of a long list counts as much as its beginning: a log tells there what is reported. */
  const cleanList = (items: unknown[], depth: number, path: Set<object>) => {
    const cleanAll = (some: unknown[]) => some.map((item) => clean(item, depth + 1, path))
    if (items.length <= longestList) return cleanAll(items)
    const half = longestList / 2
    const note = `… ${items.length - longestList} more`
    return [...cleanAll(items.slice(0, half)), note, ...cleanAll(items.slice(-half))]
  }

  const cleanObject = (value: Fields, depth: number, path: Set<object>): unknown => {
    if (isActor(value)) return `actor ${String(value.id ?? value.sessionId)}`
    if (path.has(value)) return '[cycle]'
    if (depth > deepest || budget <= 0) return '[deep]'
    if (value instanceof Date) return value.toISOString()
    if (!isPlain(value) && !(value instanceof Map) && !(value instanceof Set)) return `[${value.constructor.name}]`
    path.add(value)
    try {
      if (value instanceof Map) return cleanList(Array.from(value), depth, path)
      if (value instanceof Set || Array.isArray(value)) return cleanList(Array.from<unknown>(value), depth, path)
      return Object.fromEntries(
        entriesOf(value).map(([name, field]) => [
          name,
          typeof field === 'string' && field !== '' && isSecret(name, value) ? hidden : clean(field, depth + 1, path),
        ]),
      )
    } finally {
      path.delete(value)
    }
  }

  const clean = (value: unknown, depth: number, path: Set<object>): unknown => {
    budget -= 1
    if (typeof value === 'string') return cleanText(value)
    if (typeof value === 'function') return `function ${value.name}`
    if (typeof value === 'bigint' || typeof value === 'symbol') return String(value)
    return isFields(value) ? cleanObject(value, depth, path) : value
  }

  return (value) => {
    learn(value, 0, new Set())
    budget = mostValues
    return clean(value, 0, new Set())
  }
}
