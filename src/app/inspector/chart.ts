import {isRecord} from '#contract/is-record.ts'
import {parseJson} from '#domain/parse-json.ts'

/** A machine's configuration from a message: untrusted JSON. */
export type Definition = Record<string, unknown>

export type ChartTransition = {
  /** `prompt.submit`, `always`, `after silence`, `done retrieve`, `error retrieve`. */
  event: string
  /** Type of the event that takes it, to mark it on arrival. */
  eventType: string
  targets: string[]
  guard: string | undefined
  actions: string[]
}

export type ChartNode = {
  key: string
  /** `conversation.asking.pending` */
  path: string
  kind: 'atomic' | 'compound' | 'parallel' | 'final' | 'history'
  isInitial: boolean
  isActive: boolean
  description: string | undefined
  tags: string[]
  /** Sources of invoked actors. */
  invokes: string[]
  entry: string[]
  exit: string[]
  transitions: ChartTransition[]
  children: ChartNode[]
}

const listOf = (value: unknown): unknown[] =>
  value === undefined || value === null ? [] : Array.isArray(value) ? value : [value]
const fieldsOf = (value: unknown): [string, unknown][] => (isRecord(value) ? Object.entries(value) : [])
const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

/** The definition in an actor's announcement; `undefined` if the actor is not a machine. */
export const parseDefinition = (text: string | undefined): Definition | undefined => {
  if (text === undefined) return undefined
  const value = parseJson(text)
  return isRecord(value) && isRecord(value.states) ? value : undefined
}

/** `'name'` or `{type: 'name'}`; a function arrives as `function` and its variable's name, if any. */
const nameOf = (value: unknown): string => {
  const name = textOf(value) ?? (isRecord(value) ? textOf(value.type) : undefined) ?? ''
  return name.replace(/^function /, '') || 'inline'
}
const namesOf = (value: unknown) => listOf(value).map(nameOf)

type Label = {event: string; eventType: string}

const transitionOf = (label: Label, config: unknown): ChartTransition => {
  const fields = isRecord(config) ? config : {target: config}
  const guard = fields.guard === undefined || fields.guard === null ? undefined : nameOf(fields.guard)
  return {
    ...label,
    targets: listOf(fields.target).flatMap((target) => textOf(target) ?? []),
    guard,
    actions: namesOf(fields.actions),
  }
}

const transitionsOf = (label: Label, config: unknown) => listOf(config).map((one) => transitionOf(label, one))

const invokeTransitions = (invoke: Record<string, unknown>) => {
  const id = textOf(invoke.id) ?? nameOf(invoke.src)
  return [
    ...transitionsOf({event: `done ${id}`, eventType: `xstate.done.actor.${id}`}, invoke.onDone),
    ...transitionsOf({event: `error ${id}`, eventType: `xstate.error.actor.${id}`}, invoke.onError),
    ...transitionsOf({event: `snapshot ${id}`, eventType: `xstate.snapshot.${id}`}, invoke.onSnapshot),
  ]
}

const allTransitions = (config: Definition, path: string): ChartTransition[] => [
  ...fieldsOf(config.on).flatMap(([event, one]) => transitionsOf({event, eventType: event}, one)),
  ...transitionsOf({event: 'always', eventType: ''}, config.always),
  ...fieldsOf(config.after).flatMap(([delay, one]) =>
    transitionsOf({event: `after ${delay}`, eventType: `xstate.after.${delay}.${path}`}, one),
  ),
  ...listOf(config.invoke).filter(isRecord).flatMap(invokeTransitions),
  ...transitionsOf({event: 'done', eventType: `xstate.done.state.${path}`}, config.onDone),
]

const kindOf = (config: Definition): ChartNode['kind'] => {
  const {type} = config
  if (type === 'parallel' || type === 'final' || type === 'history') return type
  return fieldsOf(config.states).length > 0 ? 'compound' : 'atomic'
}

/** The part of a state value below a state; undefined if the state is inactive. */
const valueBelow = (value: unknown, key: string): {isActive: boolean; value?: unknown} => {
  if (value === key) return {isActive: true}
  if (isRecord(value) && key in value) return {isActive: true, value: value[key]}
  return {isActive: false}
}

const nodeOf = (
  key: string,
  path: string,
  config: Definition,
  flags: {isInitial: boolean; isActive: boolean},
  value: unknown,
): ChartNode => {
  const kind = kindOf(config)
  const children = fieldsOf(config.states).flatMap(([name, child]) => {
    if (!isRecord(child)) return []
    const below = flags.isActive ? valueBelow(value, name) : {isActive: false}
    const isInitial = kind === 'parallel' || nameOfInitial(config.initial) === name
    return [nodeOf(name, `${path}.${name}`, child, {isInitial, isActive: below.isActive}, below.value)]
  })
  return {
    key,
    path,
    kind,
    ...flags,
    description: textOf(config.description),
    tags: listOf(config.tags).flatMap((tag) => textOf(tag) ?? []),
    invokes: listOf(config.invoke)
      .filter(isRecord)
      .map(({src}) => nameOf(src)),
    entry: namesOf(config.entry),
    exit: namesOf(config.exit),
    transitions: allTransitions(config, path),
    children,
  }
}
const nameOfInitial = (initial: unknown) => textOf(initial) ?? (isRecord(initial) ? textOf(initial.target) : undefined)

/** Draws a machine's definition and current state. Never throws, whatever the JSON. */
export const toChart = (definition: Definition, value: unknown): ChartNode => {
  const id = textOf(definition.id) ?? 'machine'
  return nodeOf(id, id, definition, {isInitial: true, isActive: true}, value)
}

/** `asking.pending`, or several for parallel states. */
export const valueText = (value: unknown): string => {
  if (typeof value === 'string') return value
  return fieldsOf(value)
    .map(([key, below]) => {
      const text = valueText(below)
      if (text === '') return key
      return text.includes(', ') ? `${key}(${text})` : `${key}.${text}`
    })
    .join(', ')
}
