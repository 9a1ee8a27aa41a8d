import {isRecord} from '#contract/is-record.ts'

/** The reason why a setting was refused: the server has none of that name, or it takes these values. */
export type SettingRefusal = {kind: 'unknown' | 'value'; allowed: readonly string[]}

type Fault = {field: string | undefined; code: string; words: string}

/**
 * The part of a 400 or 422 about the setting `name`, `undefined` if there is none. Its location counts (`param`,
 * `loc`); without one, the name as a quoted word: an unquoted `size` may be a word of the prompt.
 */
export function refusalOf(name: string, status: number, body: unknown, message: string): SettingRefusal | undefined {
  if (status !== 400 && status !== 422) return undefined
  const faults = faultsOf(body, message)
  const fault =
    faults.find(({field}) => field === name) ??
    (status === 400 && faults.every(({field}) => field === undefined) ? quotedFault(name, faults, message) : undefined)
  if (fault === undefined) return undefined
  if (isUnknown(name, fault)) return {kind: 'unknown', allowed: []}
  return {kind: 'value', allowed: allowedIn(fault.words)}
}

/** `error.param` of OpenAI, the items of FastAPI's `detail`; a missing field is not a refusal of a sent one. */
function faultsOf(body: unknown, message: string): Fault[] {
  if (!isRecord(body)) return []
  if (Array.isArray(body.detail))
    return body.detail.filter(isRecord).flatMap(({loc, type, msg}) => {
      const field: unknown = Array.isArray(loc) ? loc.at(-1) : loc
      return type === 'missing' ? [] : [{field: textOf(field), code: textOf(type) ?? '', words: textOf(msg) ?? ''}]
    })
  const error = isRecord(body.error) ? body.error : body
  const code = [error.code, error.type].map((one) => textOf(one) ?? '').join(' ')
  return [{field: textOf(error.param), code, words: message}]
}

function quotedFault(name: string, [first]: readonly Fault[], message: string): Fault | undefined {
  const isNamed = new RegExp(`['"\`]${name}['"\`]`).test(message) || isUnknownWords(name, message)
  return isNamed ? {field: name, code: first?.code ?? '', words: message} : undefined
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

const isUnknown = (name: string, {code, words}: Fault): boolean =>
  /\b(?:unknown|unsupported|unrecognized)_(?:parameter|argument|field)\b|\bextra_forbidden\b/.test(code) ||
  isUnknownWords(name, words)

/** Words of a field that is not known at all; a value that is not supported is another thing. */
function isUnknownWords(name: string, words: string): boolean {
  if (/extra inputs are not permitted/i.test(words)) return true
  const field = `['"\`]?\\b${name}\\b['"\`]?`
  const unknown = '(?:unknown|unrecogni[sz]ed|unsupported|unexpected)'
  const kind = '(?:\\w+ )?(?:parameter|argument|field|property|key)s?'
  if (new RegExp(`\\b${unknown} ${kind}(?: supplied)?:? ${field}`, 'i').test(words)) return true
  const isRefused = new RegExp(
    `${field}(?: ${kind})? (?:is|are) (?:${unknown}|not (?:supported|recogni[sz]ed|known))`,
    'i',
  )
  return isRefused.test(words) && !/\bvalues?\b|\bmust\b/i.test(words) && allowedIn(words).length === 0
}

const cue =
  '(?:\\bone of|\\b(?:must|should) be|\\bchoose from|' +
  '\\b(?:supported|allowed|valid|accepted|permitted|possible|expected)(?: (?:values?|sizes?|seconds|lengths?|durations?|resolutions?))?(?: are| is)?)'
const value = '(?:\\d+[x×*]\\d+|\\d+(?:\\.\\d+)?)(?: ?s| ?seconds)?(?![\\w×*%])'
const valueList = new RegExp(
  `${cue}(?: the following)?[\\s:=[({'"\`]*(${value}(?:['"\`\\s,|/]+(?:(?:or|and)\\b['"\`\\s]+)?${value})*)`,
  'i',
)

/** The values of a list that the words give: lengths as numbers, sizes as they stand there. None for a range. */
const allowedIn = (words: string): string[] => {
  const list = valueList.exec(words)?.[1] ?? ''
  return list.match(/\d+(?:[x×*]\d+|\.\d+)?/g) ?? []
}

/** The longest length up to the requested one. */
export const nearestLength = (askedValue: string, allowedValues: readonly string[]): string | undefined =>
  allowedValues
    .filter((one) => Number(one) > 0 && Number(one) <= Number(askedValue) && one !== askedValue)
    .sort((one, other) => Number(other) - Number(one))[0]

/** The largest size of about the same shape, up to the requested one. */
export function nearestSize(askedValue: string, allowedValues: readonly string[]): string | undefined {
  const [width, height] = edgesOf(askedValue)
  return allowedValues
    .filter((one) => {
      const [otherWidth, otherHeight] = edgesOf(one)
      const shape = otherWidth / otherHeight / (width / height)
      return one !== askedValue && otherWidth <= width && otherHeight <= height && shape > 0.95 && shape < 1.05
    })
    .sort((one, other) => edgesOf(other)[0] - edgesOf(one)[0])[0]
}

/** The size whose shape is nearest to the asked ratio; of several the largest. */
export const nearestShape = ([width, height]: readonly [number, number], allowedValues: readonly string[]) => {
  const distance = (size: string) => {
    const [otherWidth, otherHeight] = edgesOf(size)
    return Math.abs(Math.log(otherWidth / otherHeight / (width / height)))
  }
  return allowedValues
    .filter((size) => Number.isFinite(distance(size)))
    .sort((one, other) => distance(one) - distance(other) || edgesOf(other)[0] - edgesOf(one)[0])[0]
}

function edgesOf(size: string): [number, number] {
  const [width = NaN, height = NaN] = size.split(/[x×*]/).map(Number)
  return [width, height]
}
