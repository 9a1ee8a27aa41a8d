import {fluxCounts, fluxPromptLimit, fluxRatios, tool} from './flux.ts'
import {namedChoices, imageFiles, plainChoices} from './media-fields.ts'
import {defineScreen} from './media-screen.ts'

export const screen = defineScreen(tool, {
  results: 'grid',
  fields: [
    {
      kind: 'segmented',
      key: 'action',
      label: 'common.mediaTask',
      choices: [
        {value: 'generate', label: 'common.mediaCreate'},
        {value: 'edits', label: 'common.mediaEdit'},
      ],
    },
    {kind: 'prompt', key: 'prompt', label: 'common.mediaPrompt', most: fluxPromptLimit, isRequired: true},
    {
      kind: 'files',
      ...imageFiles,
      most: 1,
      key: 'image_url',
      label: 'imageToEdit',
      showIf: ({action}) => action === 'edits',
    },
    {
      kind: 'select',
      key: 'model',
      label: 'common.mediaModel',
      choices: namedChoices({
        'flux-dev': 'Flux Dev',
        'flux-pro': 'Flux Pro',
        'flux-pro-1.1': 'Flux Pro 1.1',
        'flux-pro-1.1-ultra': 'Flux Pro 1.1 Ultra',
        'flux-kontext-pro': 'Flux Kontext Pro',
        'flux-kontext-max': 'Flux Kontext Max',
      }),
    },
    {
      kind: 'ratio',
      key: 'aspect_ratio',
      label: 'common.mediaRatio',
      choices: plainChoices(fluxRatios),
      isClearable: true,
      none: 'ratioOfModel',
    },
    {kind: 'segmented', key: 'count', label: 'common.mediaCount', choices: plainChoices(fluxCounts)},
    {
      kind: 'slider',
      key: 'quality',
      label: 'common.mediaQuality',
      group: 'advanced',
      least: 1,
      most: 100,
      step: 1,
      shown: 80,
    },
  ],
  actions: [
    {
      id: 'edit',
      label: 'common.mediaEdit',
      medium: 'image',
      when: ({artifact}) => artifact.url !== undefined,
      fill: ({artifact}, form) => ({...form, action: 'edits', image_url: artifact.url ?? ''}),
    },
  ],
  examples: [
    {label: 'exampleOwl', set: {}},
    {label: 'exampleKitchen', set: {aspect_ratio: '3:2'}},
    {label: 'examplePoster', set: {aspect_ratio: '2:3'}},
  ],
})
