import {imageFiles, plainChoices} from './media-fields.ts'
import {defineScreen} from './media-screen.ts'
import {tool, veoLimits, veoModels, veoRatios} from './veo.ts'

const isMade = ({action}: {action: string}) => action !== 'get1080p'
const hasFrames = ({action}: {action: string}) => action === 'image2video'

export const screen = defineScreen(tool, {
  results: 'grid',
  fields: [
    {
      kind: 'segmented',
      key: 'action',
      label: 'common.mediaTask',
      choices: ({video_id}) => [
        {value: 'text2video', label: 'common.mediaFromText'},
        {value: 'image2video', label: 'common.mediaFromImage'},
        // only a result can be had larger
        ...(video_id === '' ? [] : [{value: 'get1080p' as const, text: '1080p'}]),
      ],
      isClearable: true,
    },
    {
      kind: 'taskRef',
      key: 'video_id',
      previewKey: 'video_url',
      label: 'common.mediaSource',
      showIf: (form) => !isMade(form),
    },
    {kind: 'prompt', key: 'prompt', label: 'common.mediaPrompt', most: veoLimits.prompt, showIf: isMade},
    {
      kind: 'files',
      key: 'image_urls',
      label: 'common.mediaFrames',
      help: 'common.mediaFramesHelp',
      ...imageFiles,
      most: veoLimits.images,
      showIf: hasFrames,
    },
    {kind: 'select', key: 'model', label: 'common.mediaModel', choices: plainChoices(veoModels), showIf: isMade},
    {
      kind: 'ratio',
      key: 'aspect_ratio',
      label: 'common.mediaRatio',
      choices: plainChoices(veoRatios),
      showIf: hasFrames,
    },
    {kind: 'switch', key: 'translation', label: 'translation', help: 'translationHelp', showIf: isMade},
  ],
  actions: [
    {
      id: 'get1080p',
      label: 'get1080p',
      medium: 'video',
      when: ({artifact, request}) => artifact.id !== undefined && request.action !== 'get1080p',
      fill: ({artifact}, form) => ({
        ...form,
        action: 'get1080p',
        video_id: artifact.id ?? '',
        video_url: artifact.url ?? '',
      }),
    },
  ],
  examples: [
    {label: 'exampleHarbour', set: {action: 'text2video'}},
    {label: 'exampleHummingbird', set: {action: 'text2video'}},
    {label: 'exampleNoodles', set: {action: 'text2video'}},
  ],
})
