import {TextDecoder} from 'node:util'
import {z} from '#contract/schema.ts'
import {badRequest, HttpFailure, type FailureId} from './failure.ts'
import {inEnglish} from './language.ts'

type Issue = z.core.$ZodIssue
type UnionIssue = z.core.$ZodIssueInvalidUnion
type ValueIssue = z.core.$ZodIssueInvalidValue

/**
 * Parses input strictly. The first error is a 400 that names the field (`questions.0.text`) and the expected value,
 * without repeating the input.
 */
export function parseStrictly<T>(schema: z.core.$ZodType<T>, value: unknown, what: 'body' | 'query'): T {
  const result = z.safeParse(schema, value)
  if (result.success) return result.data
  const deepestIssue = deepest(result.error.issues, value)
  if (deepestIssue === undefined) throw badRequest(`${what}Invalid`)
  const {path, issue} = deepestIssue
  if (issue.code === 'unrecognized_keys') throw badRequest(`${what}UnknownKey`, [...path, issue.keys[0]].join('.'))
  const field = path.join('.')
  if (field === '') throw badRequest(issue.code === 'invalid_type' ? 'bodyNotObject' : `${what}Invalid`)
  const {id, values} = expectation(issue, path, value)
  throw badRequest(id, field, values)
}

type LocatedIssue = {path: PropertyKey[]; issue: Issue}

/**
 * The issue to report for a union: that of the branch with the fewest issues among those that match the sent keys and
 * the discriminating value, such as `action`. If no branch knows that value, the issue lists all known ones.
 */
function deepest(issues: readonly Issue[], value: unknown, prefix: PropertyKey[] = []): LocatedIssue | undefined {
  const [issue] = issues
  if (issue === undefined) return undefined
  const path = [...prefix, ...issue.path]
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return {path, issue}
  const branches = branchesOf(issue)
  const wrong = branches.map((branch) => branch.find(isOtherValue))
  const [first] = wrong
  if (first !== undefined && wrong.every((other) => other?.path[0] === first.path[0])) {
    const values = wrong.flatMap((other) => other?.values ?? [])
    return {path: [...path, ...first.path], issue: {...first, values}}
  }
  const knowing = branches.filter((branch) => unknownTo(branch).every((key) => branches.every(isUnknown(key))))
  const possible = knowing.length > 0 ? knowing : branches
  const likely = possible.filter(
    (branch) => !branch.some((inner) => isOtherValue(inner) && possible.some((other) => accepts(other, inner.path[0]))),
  )
  const chosenIssues = (likely.length > 0 ? likely : possible).toSorted((a, b) => a.length - b.length)[0]
  return chosenIssues === undefined ? {path, issue} : deepest(chosenIssues, value, path)
}

/** The complaints of each branch; the branches of a union inside a union are branches as well. */
const branchesOf = ({errors}: UnionIssue): Issue[][] =>
  errors.flatMap((branch) => {
    const [only] = branch
    if (only === undefined) return []
    return branch.length === 1 && only.code === 'invalid_union' && only.path.length === 0 ? branchesOf(only) : [branch]
  })

const unknownTo = (branch: readonly Issue[]): string[] =>
  branch.flatMap((issue) => (issue.code === 'unrecognized_keys' && issue.path.length === 0 ? issue.keys : []))
const isUnknown = (key: string) => (branch: readonly Issue[]) => unknownTo(branch).includes(key)

const isOtherValue = (issue: Issue): issue is ValueIssue => issue.code === 'invalid_value' && issue.path.length === 1

/** A branch that takes the key as it is rules out those that want another value there. */
const accepts = (branch: readonly Issue[], key: PropertyKey | undefined): boolean =>
  !branch.some(
    (issue) =>
      issue.path[0] === key || (issue.code === 'unrecognized_keys' && issue.keys.some((unknown) => unknown === key)),
  )

type Expectation = {id: FailureId; values?: Record<string, string | number>}

/** Whether a message is the sentence of a rule of ours (`brokenRule`); zod's words name no field that a user knows. */
const isOurs = (message: string): message is FailureId => `failure.${message}` in inEnglish.messages

function expectation(issue: Issue, path: readonly PropertyKey[], value: unknown): Expectation {
  const isMissing = valueAt(value, path) === undefined
  switch (issue.code) {
    case 'invalid_type':
      return isMissing ? {id: 'fieldMissing'} : {id: 'fieldType', values: {type: issue.expected}}
    case 'invalid_value':
      return {id: isMissing ? 'fieldMissingOneOf' : 'fieldOneOf', values: {values: issue.values.map(String).join(', ')}}
    case 'too_small':
      if (issue.origin === 'string' && issue.minimum === 1) return {id: 'fieldEmpty'}
      return {id: `fieldLeast${unit(issue.origin)}`, values: {least: bound(issue.origin, issue.minimum)}}
    case 'too_big':
      return {id: `fieldMost${unit(issue.origin)}`, values: {most: bound(issue.origin, issue.maximum)}}
    case 'invalid_format':
      if (isOurs(issue.message)) return {id: issue.message}
      return {id: issue.format === 'uuid' ? 'fieldUuid' : 'fieldForm'}
    case 'custom':
      // as: the parameters of rules are those of `brokenRule`
      if (isOurs(issue.message)) return {id: issue.message, values: issue.params as Expectation['values']}
      return {id: issue.message === 'Required' ? 'fieldMissing' : 'fieldInvalid'}
    default:
      return {id: 'fieldInvalid'}
  }
}

/** The value that was sent at a path; zod keeps no input in its issues, so that none reaches a log. */
const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  )

const unit = (origin: string) => (origin === 'string' ? 'Characters' : origin === 'array' ? 'Items' : '')
/** A count is written as the language does it, a value as it goes over the wire. */
const bound = (origin: string, value: number | bigint) => (unit(origin) === '' ? String(value) : Number(value))

/** A body that comes byte by byte holds a connection and nothing else; uploads have their own time (security R31). */
const longestWaitMilliseconds = 30_000
const longestJson = 1_048_576
const longestForm = 65_536
const deepestJson = 64

/** The body as text, at most 1 MiB (forms 64 KiB), valid UTF-8; a long one is refused early, by pieces (R31). */
export async function readText(request: Request, kind: 'json' | 'form'): Promise<string> {
  const longest = kind === 'json' ? longestJson : longestForm
  const tooLarge = () => new HttpFailure(413, 'content_too_large', 'bodyTooLarge', {values: {most: longest}})
  if (Number(request.headers.get('content-length') ?? 0) > longest) throw tooLarge()
  if (request.body === null) return ''
  const decoder = new TextDecoder('utf-8', {fatal: true})
  let length = 0
  let text = ''
  const reader = request.body.getReader()
  let isOverdue = false
  const timer = setTimeout(() => {
    isOverdue = true
    // Ends the pending read; whether the sender takes notice does not matter.
    reader.cancel().catch(() => undefined)
  }, longestWaitMilliseconds)
  try {
    for (;;) {
      // The types of Node leave the chunk open; a body's chunks are bytes.
      const {done, value} = (await reader.read()) as {done: boolean; value: Uint8Array}
      if (isOverdue)
        throw new HttpFailure(408, 'timeout', 'bodyLate', {values: {seconds: longestWaitMilliseconds / 1000}})
      if (done) break
      length += value.byteLength
      if (length > longest) {
        await reader.cancel()
        throw tooLarge()
      }
      text += decodeStrictly(decoder, value)
    }
  } finally {
    clearTimeout(timer)
    reader.releaseLock()
  }
  return text + decodeStrictly(decoder)
}

function decodeStrictly(decoder: TextDecoder, bytes?: Uint8Array): string {
  try {
    return bytes === undefined ? decoder.decode() : decoder.decode(bytes, {stream: true})
  } catch {
    throw badRequest('bodyNotUtf8')
  }
}

/** JSON of at most 64 levels, without NUL characters and lone surrogates, which PostgreSQL cannot hold (R31, R34). */
export function parseJson(text: string): unknown {
  if (jsonDepth(text) > deepestJson) throw badRequest('bodyTooDeep', undefined, {most: deepestJson})
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw badRequest('bodyNotJson')
  }
  refuseUnstorable(value, [])
  return value
}

function jsonDepth(text: string): number {
  let depth = 0
  let greatest = 0
  let inText = false
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (inText) {
      if (code === 0x5c) index += 1
      else if (code === 0x22) inText = false
    } else if (code === 0x22) inText = true
    else if (code === 0x7b || code === 0x5b) greatest = Math.max(greatest, (depth += 1))
    else if (code === 0x7d || code === 0x5d) depth -= 1
  }
  return greatest
}

const isUnstorable = (text: string) => text.includes('\0') || /\p{Surrogate}/u.test(text)

function refuseUnstorable(value: unknown, path: string[]): void {
  if (typeof value === 'string') {
    if (isUnstorable(value)) {
      const field = path.join('.')
      throw field === '' ? badRequest('bodyUnstorable') : badRequest('fieldUnstorable', field)
    }
    return
  }
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    if (isUnstorable(key)) throw badRequest('bodyKey')
    refuseUnstorable(inner, [...path, key])
  }
}

/** Query or form as an object; a repeated key is an array. */
export function parametersToObject(parameters: URLSearchParams): Record<string, string | string[]> {
  const result = new Map<string, string | string[]>()
  for (const [key, value] of parameters) {
    if (key.includes('\0') || value.includes('\0')) throw badRequest('fieldNul', key)
    const before = result.get(key)
    result.set(key, before === undefined ? value : [...(Array.isArray(before) ? before : [before]), value])
  }
  return Object.fromEntries(result)
}
