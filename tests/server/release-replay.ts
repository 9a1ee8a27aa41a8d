import {isRecord} from '#contract/is-record.ts'

/*
 * Plays a recorded session again. What a server made up (ids, tokens, keys, addresses) is another one this time: where
 * the two answers differ in a text that looks so, the later requests take the new one.
 */

export type Names = Map<string, string>

/** Texts that are long and random enough to be nothing else. */
const isMadeUp = (text: string) => text.length >= 16 && /\d/.test(text)

/** Goes through a recorded and a new answer side by side. */
export function learn(names: Names, recorded: unknown, fresh: unknown): void {
  if (typeof recorded === 'string' && typeof fresh === 'string') {
    if (recorded === fresh || !isMadeUp(recorded)) return
    names.set(recorded, fresh)
    // an address is asked for by its path
    if (URL.canParse(recorded) && URL.canParse(fresh)) learn(names, new URL(recorded).pathname, new URL(fresh).pathname)
  } else if (Array.isArray(recorded) && Array.isArray(fresh)) {
    recorded.forEach((each, index) => learn(names, each, fresh[index]))
  } else if (isRecord(recorded) && isRecord(fresh)) {
    for (const [key, value] of Object.entries(recorded)) learn(names, value, fresh[key])
  }
}

/** The longest first: an address holds an id. */
export function withNames(names: Names, text: string): string {
  const known = [...names].sort(([a], [b]) => b.length - a.length)
  return known.reduce(
    (result, [recorded, fresh]) =>
      result.replaceAll(recorded, fresh).replaceAll(encodeURIComponent(recorded), encodeURIComponent(fresh)),
    text,
  )
}

/** Reads the data of an answer: JSON, lines of JSON, events, hidden fields of a form, or a query. */
export function readAnswer(type = '', text = ''): unknown {
  if (type.startsWith('application/json')) return JSON.parse(text)
  if (type.startsWith('application/x-ndjson')) return text.trim().split('\n').map(parseLine)
  if (type.startsWith('text/event-stream'))
    return [...text.matchAll(/^data: ?(.*)$/gm)].map(([, line = '']) => parseLine(line))
  const fields = [...text.matchAll(/<input[^>]*name="([^"]*)"[^>]*value="([^"]*)"/g)]
  return Object.fromEntries(fields.map(([, name, value]) => [name, value]))
}

const parseLine = (line: string): unknown => (line !== '[DONE]' && /^[[{"]/.test(line) ? JSON.parse(line) : line)

/**
 * Drops the response of tasks that ran when they were asked for: by now they may have ended, with a response of another
 * kind.
 */
const withoutHalfResponse = (item: unknown): unknown => {
  if (!isRecord(item) || !('started_at' in item) || 'finished_at' in item) return item
  const {response: _, ...rest} = item
  return rest
}

/** Keeps the facts of a recorded list of tasks that hold however fast this machine makes them. */
export const settledTasks = (recorded: unknown): unknown =>
  isRecord(recorded) && Array.isArray(recorded.items)
    ? {...recorded, items: recorded.items.map(withoutHalfResponse)}
    : recorded

/**
 * Returns what a client of the recorded answer would miss in the new one: a key that is not there, a value of another
 * kind. A null or an empty list says nothing of its kind.
 */
export function missing(recorded: unknown, fresh: unknown, path = '$'): string[] {
  if (recorded === null || recorded === undefined) return []
  if (Array.isArray(recorded)) {
    if (!Array.isArray(fresh)) return [`${path} is no list`]
    if (recorded.length === 0) return []
    return fresh.flatMap((each, index) => {
      const faults = recorded.map((one) => missing(one, each, `${path}[${index}]`))
      return faults.some(({length}) => length === 0) ? [] : (faults[0] ?? [])
    })
  }
  if (isRecord(recorded)) {
    if (!isRecord(fresh)) return [`${path} is no object`]
    return Object.entries(recorded).flatMap(([key, value]) =>
      isMadeUp(key)
        ? []
        : key in fresh || value === null
          ? missing(value, fresh[key], `${path}.${key}`)
          : [`${path}.${key}`],
    )
  }
  return typeof recorded === typeof fresh ? [] : [`${path} is no ${typeof recorded}`]
}
