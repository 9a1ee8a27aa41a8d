import {imageFiles, plainChoices} from './media-fields.ts'
import {defineScreen} from './media-screen.ts'
import {nanobananaLimits, nanobananaRatios, tool} from './nanobanana.ts'

export const screen = defineScreen(tool, {
  results: 'grid',
  fields: [
    {
      kind: 'segmented',
      key: 'action',
      label: 'common.mediaTask',
      choices: [
        {value: 'generate', label: 'common.mediaCreate'},
        {value: 'edit', label: 'common.mediaEdit'},
      ],
    },
    {kind: 'prompt', key: 'prompt', label: 'common.mediaPrompt', most: nanobananaLimits.prompt, isRequired: true},
    {
      kind: 'files',
      key: 'image_urls',
      label: 'common.mediaImages',
      ...imageFiles,
      most: nanobananaLimits.images,
      showIf: ({action}) => action === 'edit',
    },
    {
      kind: 'ratio',
      key: 'aspect_ratio',
      label: 'common.mediaRatio',
      choices: plainChoices(nanobananaRatios),
      showIf: ({action}) => action === 'generate',
    },
  ],
  actions: [
    {
      id: 'edit',
      label: 'common.mediaEdit',
      medium: 'image',
      when: ({artifact}) => artifact.url !== undefined,
      fill: ({artifact}, form) => ({
        ...form,
        action: 'edit',
        image_urls: artifact.url === undefined ? form.image_urls : [artifact.url],
      }),
    },
  ],
  examples: [
    {label: 'exampleCat', set: {action: 'generate'}},
    {label: 'exampleSticker', set: {action: 'generate'}},
    {label: 'exampleRoom', set: {action: 'generate', aspect_ratio: '3:2'}},
  ],
})
