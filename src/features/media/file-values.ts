import type {Artifact} from '#contract/media/media-tool.ts'
import type {AnyChoice, AnyField} from './any-tool.ts'
import {ownRatio} from './feed/ratio.ts'
import type {ToolText} from './use-tool-text.ts'

const ratioNames = ['1:1', '4:3', '3:4', '3:2', '2:3', '16:9', '9:16', '21:9', '9:21']
/** Sizes in whole pixels miss their ratio by a little. */
const tolerance = 0.02

const valueOf = (name: string): number => {
  const [width = 1, height = 1] = name.split(':').map(Number)
  return width / height
}
const isNear = (name: string, ratio: number) => Math.abs(valueOf(name) / ratio - 1) < tolerance

/** The name of the ratio that a result has; else its size. */
function ratioText({width, height}: Artifact, ratio: number, requestedRatio: string): string {
  if (/^\d+:\d+$/.test(requestedRatio) && isNear(requestedRatio, ratio)) return requestedRatio
  return ratioNames.find((name) => isNear(name, ratio)) ?? `${width} × ${height}`
}

/** The file does not lie or stand as this orientation says. */
const isOtherWay = (orientation: unknown, ratio: number) =>
  (orientation === 'landscape' && ratio <= 1) || (orientation === 'portrait' && ratio >= 1)

/**
 * A length, a ratio or an orientation as the file has it, where the file differs from what was asked for; undefined of
 * every other setting, and where the answer does not describe the file.
 */
export function madeText(
  field: AnyField,
  choice: AnyChoice,
  artifact: Artifact | undefined,
  toolText: ToolText,
): string | undefined {
  if (artifact === undefined) return undefined
  if (choice.label === 'common.mediaSeconds')
    return artifact.durationSeconds === undefined
      ? undefined
      : toolText('common.mediaSeconds', {value: Math.round(artifact.durationSeconds)})
  const ratio = ownRatio(artifact)
  if (ratio === undefined) return undefined
  if (field.kind === 'ratio') return ratioText(artifact, ratio, String(choice.value))
  return isOtherWay(choice.value, ratio) ? ratioText(artifact, ratio, '') : undefined
}
