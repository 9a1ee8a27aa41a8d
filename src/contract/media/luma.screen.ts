import {lumaPromptLimit, lumaRatios, tool} from './luma.ts'
import {imageFiles, plainChoices} from './media-fields.ts'
import {megabyte} from './media-rules.ts'
import {defineScreen} from './media-screen.ts'

export const screen = defineScreen(tool, {
  results: 'grid',
  fields: [
    {
      kind: 'taskRef',
      key: 'video_id',
      previewKey: 'thumbnail_url',
      label: 'common.mediaSource',
      showIf: ({video_id}) => video_id !== '',
    },
    {kind: 'prompt', key: 'prompt', label: 'common.mediaPrompt', most: lumaPromptLimit},
    {
      kind: 'files',
      key: 'start_image_url',
      label: 'common.mediaStartFrame',
      ...imageFiles,
      most: 1,
      showIf: ({custom, video_id}) => !custom && video_id === '',
    },
    {kind: 'files', key: 'end_image_url', label: 'common.mediaEndFrame', ...imageFiles, most: 1},
    {kind: 'ratio', key: 'aspect_ratio', label: 'common.mediaRatio', choices: plainChoices(lumaRatios)},
    {kind: 'switch', key: 'enhancement', label: 'enhancement', help: 'enhancementHelp'},
    {kind: 'switch', key: 'loop', label: 'common.mediaLoop'},
    {kind: 'switch', key: 'custom', label: 'custom', showIf: ({video_id}) => video_id === ''},
    {
      kind: 'files',
      key: 'video_url',
      label: 'videoToExtend',
      help: 'videoHelp',
      medium: 'video',
      most: 1,
      types: ['video/mp4'],
      maxBytes: 10 * megabyte,
      showIf: ({custom, video_id}) => custom && video_id === '',
    },
  ],
  actions: [
    {
      id: 'extend',
      label: 'common.mediaExtend',
      medium: 'video',
      when: ({artifact}) => artifact.id !== undefined && artifact.url !== undefined,
      fill: ({artifact, request}, form) => ({
        ...form,
        custom: false,
        prompt: typeof request.prompt === 'string' ? request.prompt : form.prompt,
        aspect_ratio: lumaRatios.find((ratio) => ratio === request.aspect_ratio) ?? form.aspect_ratio,
        video_id: artifact.id ?? '',
        video_url: artifact.url ?? '',
        thumbnail_url: artifact.previewUrl ?? '',
      }),
    },
  ],
  examples: [
    {label: 'exampleFog', set: {aspect_ratio: '16:9'}},
    {label: 'exampleClock', set: {loop: true}},
    {label: 'exampleMarket', set: {aspect_ratio: '9:16'}},
  ],
})
