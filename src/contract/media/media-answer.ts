import {isRecord} from '../is-record.ts'
import type {Artifact, StoredArtifact, AnswerReading} from './media-tool.ts'

/* Tolerant parsing of answers: of other servers, of running tasks, and of unknown shapes. */

type Answer = Record<string, unknown>

/** Text under a key; numeric ids become text. Empty counts as absent. */
export function textIn(answer: Answer, key: string): string | undefined {
  const value = answer[key]
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** A number under a key; kling sends its duration as text (upstream §0.10). */
export function numberIn(answer: Answer, key: string): number | undefined {
  const value = answer[key]
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

export const textsIn = (answer: Answer, key: string): string[] => {
  const value = answer[key]
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string' && item !== '') : []
}

/** The results under `data`: a list, or a single one. */
export function itemsIn(answer: Answer): Answer[] {
  const {data} = answer
  return Array.isArray(data) ? data.filter(isRecord) : isRecord(data) ? [data] : []
}

const failedWord = /^(fail(ed|ure)?|error|cancel(l)?ed|rejected)$/i
const stateIn = (item: Answer) => textIn(item, 'state') ?? textIn(item, 'status')

/** The results that did not fail; all of them if all failed. A failed one does not affect the others. */
export function partsIn(answer: Answer): {items: Answer[]; state: string | undefined} {
  const all = itemsIn(answer)
  const others = all.filter((item) => !failedWord.test(stateIn(item) ?? ''))
  const items = others.length > 0 ? others : all
  return {items, state: stateOfMany(items.map(stateIn))}
}

/** Actual size of a result, which may differ from the requested one; other servers omit it. */
export const sizeOf = ({width, height}: StoredArtifact) =>
  width === undefined || height === undefined ? {} : {width, height}

/** Actual length of a result: a provider may make less than requested. */
export const lengthOf = ({durationSeconds}: StoredArtifact) =>
  durationSeconds === undefined ? {} : {duration: durationSeconds}

export const sizeIn = (item: Answer) => ({width: numberIn(item, 'width'), height: numberIn(item, 'height')})

/** An artifact without its undefined keys. */
export function artifact(foundValues: Artifact): Artifact {
  // as: leaving out undefined values keeps the type
  return Object.fromEntries(Object.entries(foundValues).filter(([, value]) => value !== undefined)) as Artifact
}

/** A reading without its undefined parts. */
export const reading = (
  artifacts: Artifact[],
  {state, progress, actions}: Omit<AnswerReading, 'artifacts'> = {},
): AnswerReading => ({
  artifacts,
  ...(state === undefined ? {} : {state}),
  ...(progress === undefined ? {} : {progress}),
  ...(actions === undefined ? {} : {actions}),
})

/** Parses the answers of tools with `data: [{id, video_url, state}]`. */
export function readVideos(answer: Answer, more: (item: Answer) => Partial<Artifact> = () => ({})): AnswerReading {
  const {items, state} = partsIn(answer)
  const videos = items.map((item) =>
    artifact({
      medium: 'video',
      url: textIn(item, 'video_url'),
      id: textIn(item, 'id'),
      durationSeconds: numberIn(item, 'duration'),
      model: textIn(item, 'model'),
      ...sizeIn(item),
      ...more(item),
    }),
  )
  return reading(
    videos.filter(({url, id}) => url !== undefined || id !== undefined),
    {state, progress: numberIn(answer, 'progress')},
  )
}

/** Parses the answers of tools with `data: [{image_url}]`. */
export const readImages = (answer: Answer, more: (item: Answer) => Partial<Artifact> = () => ({})): AnswerReading =>
  reading(
    itemsIn(answer)
      .filter((item) => textIn(item, 'image_url') !== undefined)
      .map((item) =>
        artifact({
          medium: 'image',
          url: textIn(item, 'image_url'),
          id: textIn(item, 'id'),
          ...sizeIn(item),
          ...more(item),
        }),
      ),
    {state: textIn(answer, 'state'), progress: numberIn(answer, 'progress')},
  )

const doneWord = /^(succeed(ed)?|success|complete(d)?|finished)$/i

/** The common state of several results: the first unfinished one, else the first. */
const stateOfMany = (states: readonly (string | undefined)[]): string | undefined => {
  const definedStates = states.filter((state) => state !== undefined)
  return definedStates.find((state) => !doneWord.test(state)) ?? definedStates[0]
}
