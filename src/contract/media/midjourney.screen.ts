import {labelledChoices, imageFiles, plainChoices, prefixed} from './media-fields.ts'
import {imageActions, type ImageAction, type ImageActionGroup} from './media-image-actions.ts'
import {defineScreen, type ActionSubject} from './media-screen.ts'
import type {StyleWordKind} from './media-style-words.ts'
import {
  midjourneyLimits,
  midjourneyModels,
  midjourneyModes,
  midjourneyQualities,
  midjourneyRatios,
  midjourneyResolutions,
  midjourneyStylesOf,
  midjourneyVersions,
  tool,
} from './midjourney.ts'

type MidjourneyForm = {tab: string; video_id: string}
const isImagine = ({tab}: MidjourneyForm) => tab === 'imagine'
const isVideos = ({tab}: MidjourneyForm) => tab === 'videos'
const isDescribe = ({tab}: MidjourneyForm) => tab === 'describe'
const isNewVideo = (form: MidjourneyForm) => isVideos(form) && form.video_id === ''

const actionName = prefixed('action')
const qualityNames = {'.25': 'qualityLow', '.5': 'qualityMedium', '1': 'qualityHigh'} as const

const corners = ['tl', 'tr', 'bl', 'br'] as const
const actionOf = ({action}: Record<string, unknown>) => (typeof action === 'string' ? action : '')
/** Label of an action on an image whose name matches `form`; the match fills the message's `values`. */
const work = (label: string, form: RegExp, values: (caught: string) => Record<string, string>) => ({
  label,
  when: (request: Record<string, unknown>) => form.test(actionOf(request)),
  values: (request: Record<string, unknown>) => values(form.exec(actionOf(request))?.[1] ?? ''),
})
const cornerOf = (number: string) => ({place: corners[Number(number) - 1] ?? ''})
const sizes: Record<string, string> = {'2x': 'two', '4x': 'four'}
const zooms: Record<string, string> = {zoom_out_1_5x: 'half', square: 'square'}

/** `U1` to `U4` and `V1` to `V4`, the names of Midjourney's own buttons under a sheet of four. */
function shortName(action: ImageAction): {short?: string} {
  const [, kind, number] = /^(upscale|variation)([1-4])$/.exec(action) ?? []
  return kind === undefined || number === undefined ? {} : {short: `${kind === 'upscale' ? 'U' : 'V'}${number}`}
}

/** Sends at once, in the mode that made the image. */
const imageAction = (group: ImageActionGroup, action: ImageAction) => ({
  id: action,
  ...shortName(action),
  label: actionName(action),
  group: prefixed('group')(group),
  medium: 'image' as const,
  when: ({artifact}: ActionSubject) => artifact.id !== undefined,
  send: ({artifact, request}: ActionSubject, form: {mode: string}) => ({
    operation: 'imagine',
    body: {action, image_id: artifact.id, mode: midjourneyModes.find((mode) => mode === request.mode) ?? form.mode},
  }),
})

// as: the groups' names are exactly the keys
const groups = Object.entries(imageActions) as [ImageActionGroup, readonly ImageAction[]][]
const wordKinds: readonly StyleWordKind[] = [
  'styles',
  'lighting',
  'artists',
  'material',
  'camera',
  'emotion',
  'chinese',
  'special',
]

export const screen = defineScreen(tool, {
  results: 'grid',
  works: [
    work('madePick', /^upscale([1-4])$/, cornerOf),
    work('madeVariations', /^variation([1-4])$/, cornerOf),
    work('madeVariation', /^variation_(strong|subtle)$/, (kind) => ({kind})),
    work('madeUpscale', /^(?:redo_)?upscale_(2x|4x|subtle|creative)$/, (size) => ({kind: sizes[size] ?? size})),
    work('madeZoom', /^(zoom_out_2x|zoom_out_1_5x|square)$/, (zoom) => ({kind: zooms[zoom] ?? ''})),
    work('madePan', /^pan_(left|right|up|down)$/, (side) => ({side})),
  ],
  fields: [
    {
      kind: 'tabs',
      key: 'tab',
      label: 'tab',
      choices: [
        {value: 'imagine', label: 'tabImages'},
        {value: 'videos', label: 'tabVideos'},
        {value: 'describe', label: 'tabDescribe'},
      ],
    },
    {
      kind: 'taskRef',
      key: 'video_id',
      previewKey: 'video_url',
      label: 'common.mediaSource',
      showIf: (form) => isVideos(form) && form.video_id !== '',
    },
    {
      kind: 'prompt',
      key: 'prompt',
      label: 'common.mediaPrompt',
      most: midjourneyLimits.prompt,
      showIf: (form) => !isDescribe(form),
    },
    {
      kind: 'files',
      key: 'references',
      label: 'references',
      ...imageFiles,
      most: midjourneyLimits.references,
      showIf: isImagine,
    },
    {kind: 'files', key: 'image_url', label: 'common.mediaStartFrame', ...imageFiles, most: 1, showIf: isNewVideo},
    {kind: 'files', key: 'end_image_url', label: 'common.mediaEndFrame', ...imageFiles, most: 1, showIf: isNewVideo},
    {kind: 'files', key: 'image_url', label: 'pictureToDescribe', ...imageFiles, most: 1, showIf: isDescribe},
    {
      kind: 'segmented',
      key: 'model',
      label: 'common.mediaModel',
      choices: midjourneyModels.map((value) =>
        value === '' ? {value, label: 'modelGeneral'} : {value, text: 'Niji 5'},
      ),
      showIf: isImagine,
    },
    {
      kind: 'ratio',
      key: 'ratio',
      label: 'common.mediaRatio',
      choices: plainChoices(midjourneyRatios),
      showIf: isImagine,
    },
    {
      kind: 'segmented',
      key: 'quality',
      label: 'common.mediaQuality',
      choices: labelledChoices(midjourneyQualities, (value) => qualityNames[value]),
      showIf: isImagine,
    },
    {
      kind: 'select',
      key: 'version',
      label: 'version',
      choices: plainChoices(midjourneyVersions),
      showIf: isImagine,
    },
    {
      kind: 'chips',
      key: 'elements',
      label: 'elements',
      help: 'elementsHelp',
      groups: wordKinds.map((id) => ({id, label: prefixed('words')(id)})),
      words: async () => (await import('./media-style-words.ts')).styleWords,
      showIf: isImagine,
    },
    {
      kind: 'segmented',
      key: 'resolution',
      label: 'common.mediaResolution',
      choices: plainChoices(midjourneyResolutions),
      showIf: isVideos,
    },
    {kind: 'switch', key: 'loop', label: 'common.mediaLoop', showIf: isVideos},
    {
      kind: 'slider',
      key: 'stylize',
      label: 'stylize',
      help: 'stylizeHelp',
      group: 'advanced',
      least: 0,
      most: 100,
      step: 1,
      showIf: isImagine,
    },
    {
      kind: 'slider',
      key: 'weird',
      label: 'weird',
      group: 'advanced',
      least: 0,
      most: 1000,
      step: 1,
      showIf: isImagine,
    },
    {
      kind: 'slider',
      key: 'chaos',
      label: 'chaos',
      help: 'chaosHelp',
      group: 'advanced',
      least: 0,
      most: 100,
      step: 1,
      showIf: isImagine,
    },
    {
      kind: 'slider',
      key: 'iw',
      label: 'imageWeight',
      group: 'advanced',
      least: 0,
      most: 2,
      step: 0.1,
      showIf: isImagine,
    },
    {
      kind: 'select',
      key: 'style',
      label: 'common.mediaStyle',
      group: 'advanced',
      choices: ({model}) => labelledChoices(midjourneyStylesOf(model), prefixed('style')),
      isClearable: true,
      showIf: isImagine,
    },
    {
      kind: 'text',
      key: 'ignore',
      label: 'common.mediaAvoid',
      group: 'advanced',
      most: midjourneyLimits.prompt,
      showIf: isImagine,
    },
    {
      kind: 'segmented',
      key: 'mode',
      label: 'common.mediaSpeed',
      group: 'foot',
      choices: [
        {value: 'relax', label: 'common.mediaRelax'},
        {value: 'fast', label: 'common.mediaFast'},
        {value: 'turbo', label: 'modeTurbo'},
      ],
      showIf: (form) => !isDescribe(form),
    },
  ],
  actions: [
    ...groups.flatMap(([group, actions]) => actions.map((action) => imageAction(group, action))),
    {
      id: 'animate',
      label: 'actionAnimate',
      group: 'groupMore',
      medium: 'image',
      when: ({artifact}) => artifact.url !== undefined,
      fill: ({artifact}, form) => ({
        ...form,
        tab: 'videos',
        image_url: artifact.url ?? '',
        video_id: '',
        video_url: '',
      }),
    },
    {
      id: 'describe',
      label: 'actionDescribe',
      group: 'groupMore',
      medium: 'image',
      when: ({artifact}) => artifact.url !== undefined,
      send: ({artifact}) => ({operation: 'describe', body: {image_url: artifact.url}}),
    },
    {
      id: 'extend',
      label: 'common.mediaExtend',
      medium: 'video',
      when: ({artifact, index}) => artifact.id !== undefined && index < midjourneyLimits.videos,
      fill: ({artifact, index}, form) => ({
        ...form,
        tab: 'videos',
        video_id: artifact.id ?? '',
        video_index: index,
        video_url: artifact.previewUrl ?? artifact.url ?? '',
        image_url: '',
        end_image_url: '',
      }),
    },
    {
      id: 'usePrompt',
      label: 'actionUsePrompt',
      medium: 'text',
      fill: ({artifact}, form) => ({...form, tab: 'imagine', prompt: artifact.text ?? form.prompt}),
    },
  ],
  examples: [
    {label: 'exampleBoat', set: {tab: 'imagine'}},
    {label: 'exampleLibrary', set: {tab: 'imagine', ratio: '16:9'}},
    {label: 'examplePortrait', set: {tab: 'imagine', ratio: '3:4'}},
  ],
})
