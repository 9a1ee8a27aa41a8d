import type {Artifact, MediaPlan, MediaTool} from '#contract/media/media-tool.ts'
import {z} from '#contract/schema.ts'
import {sameAgain} from '../repeated-request.ts'
import type {Card} from '#machines/task-list/task-list.selectors.ts'

/** Boxes are neither taller nor wider than this (width : height); what is, is shown whole within. */
const tallest = 3 / 4
const widest = 16 / 9
/** A card shows no more results than this. */
export const mostShown = 4

/** The content of a card: so many results, each of this width over height. */
export type Shape = {ratio: number; count: number}

const positive = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value) && value > 0

/** Width over height that a result itself says. */
export const ownRatio = ({width, height}: Artifact): number | undefined =>
  positive(width) && positive(height) ? width / height : undefined

/** Something to look at. */
export const isSeen = ({medium}: Pick<Artifact, 'medium'>) => medium === 'image' || medium === 'video'

/** The plan of our server for the request; undefined where no operation of the tool takes it. */
function planOf(tool: Pick<MediaTool, 'operations'>, card: Pick<Card, 'request' | 'type'>): MediaPlan | undefined {
  const again = sameAgain(tool, card)
  const operation = again && tool.operations[again.operation]
  return operation?.plan(z.parse(operation.body, again?.body))
}

/** The shape that stands in the request in plain words, whatever else is in it. */
function asked(request: Record<string, unknown>): number | undefined {
  const text = [request.aspect_ratio, request.size, request.ratio].find((value) => typeof value === 'string')
  const parts = typeof text === 'string' ? /^(\d+(?:\.\d+)?)\s*[:x]\s*(\d+(?:\.\d+)?)$/.exec(text) : null
  const [width, height] = [Number(parts?.[1]), Number(parts?.[2])]
  if (width > 0 && height > 0) return width / height
  if (request.orientation === 'portrait') return 9 / 16
  if (request.orientation === 'landscape') return 16 / 9
  return undefined
}

/**
 * Returns the shape of a card: of its results, else the one that its tool plans for the request, else the usual one of
 * the medium. It is known before anything is loaded, so nothing moves when it arrives; only a result whose size was
 * never told takes its own box once it is loaded (`loadedRatio`, by its address). `sourceRatio` tells the shape of a
 * result that is worked on, by its id or address.
 */
export function contentShape(
  tool: Pick<MediaTool, 'operations'>,
  card: Pick<Card, 'reading' | 'request' | 'type'>,
  usual: number,
  sourceRatio: (name: string) => number | undefined = () => undefined,
  loadedRatio: (url: string | undefined) => number | undefined = () => undefined,
): Shape {
  const visibleArtifacts = card.reading.artifacts.filter(isSeen)
  const sizes = visibleArtifacts
    .map((artifact) => ownRatio(artifact) ?? loadedRatio(artifact.previewUrl ?? artifact.url))
    .find((ratio) => ratio !== undefined)
  if (sizes !== undefined) return {ratio: sizes, count: visibleArtifacts.length}
  const plan = planOf(tool, card)
  const count =
    visibleArtifacts.length > 0 ? visibleArtifacts.length : plan !== undefined && isSeen(plan) ? plan.count : 1
  const plannedRatio = plan === undefined ? asked(card.request) : plan.aspectRatio[0] / plan.aspectRatio[1]
  const sourceId = plan?.sourceId ?? (plan?.followsSource ? plan.sources[0] : undefined)
  const source = sourceId === undefined ? undefined : sourceRatio(sourceId)
  return {ratio: source ?? plannedRatio ?? usual, count}
}

/** Two wide ones are larger above each other than side by side. */
export const columnsOf = ({ratio, count}: Shape): number => (count < 2 || (count === 2 && ratio > 1.2) ? 1 : 2)

const rowsOf = (shape: Shape) => Math.ceil(Math.min(mostShown, shape.count) / columnsOf(shape))

/** The box of a card: its results beside each other, within bounds. */
export const boxRatio = (shape: Shape): number =>
  Math.min(widest, Math.max(tallest, (shape.ratio * columnsOf(shape)) / rowsOf(shape)))

/** Whether a result fills its cell of the box with nothing of it cut off. Of an unknown size it may not. */
export function fillsBox(artifact: Artifact, shape: Shape): boolean {
  const cellRatio = (boxRatio(shape) / columnsOf(shape)) * rowsOf(shape)
  const own = ownRatio(artifact)
  return own !== undefined && Math.abs(own / cellRatio - 1) < 0.02
}
