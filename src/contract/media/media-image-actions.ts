/* Midjourney's actions on its images (contract/media §2.1), in the groups of its menu. */

export const imageActions = {
  pick: ['upscale1', 'upscale2', 'upscale3', 'upscale4'],
  vary: ['variation1', 'variation2', 'variation3', 'variation4', 'variation_strong', 'variation_subtle'],
  upscale: [
    'upscale_subtle',
    'upscale_creative',
    'upscale_2x',
    'upscale_4x',
    'redo_upscale_2x',
    'redo_upscale_4x',
    'redo_upscale_subtle',
    'redo_upscale_creative',
  ],
  pan: ['zoom_out_2x', 'zoom_out_1_5x', 'square', 'pan_left', 'pan_right', 'pan_up', 'pan_down'],
  again: ['reroll', 'generate'],
} as const

type Groups = typeof imageActions
export type ImageActionGroup = keyof Groups
export type ImageAction = Groups[ImageActionGroup][number]

export const imageActionNames: readonly ImageAction[] = Object.values(imageActions).flat()

/** The action makes one image instead of a sheet of four. */
export const isSingle = (action: string) => action.includes('upscale')

/** Possible actions on the result of an action: a sheet, one image picked from it, or an enlarged one. */
export function nextActions(action: string): readonly ImageAction[] {
  const {pick, vary, upscale, pan} = imageActions
  if (!isSingle(action)) return [...pick, ...vary.slice(0, 4), 'reroll']
  if (/^upscale[1-4]$/.test(action)) return [...upscale.slice(0, 4), 'variation_subtle', 'variation_strong', ...pan]
  const size = /(2x|4x|subtle|creative)$/.exec(action)?.[1]
  const redo = upscale.find((name) => name === `redo_upscale_${size}`)
  return [...(redo === undefined ? [] : [redo]), ...pan]
}
