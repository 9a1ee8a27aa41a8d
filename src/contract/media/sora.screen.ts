import {labelledChoices, namedChoices, imageFiles, prefixed, secondChoices} from './media-fields.ts'
import {defineScreen} from './media-screen.ts'
import {soraDurationsOf, soraLimits, soraSizes, tool} from './sora.ts'

export const screen = defineScreen(tool, {
  results: 'grid',
  fields: [
    {
      kind: 'segmented',
      key: 'action',
      label: 'common.mediaTask',
      choices: [
        {value: 'text2video', label: 'common.mediaFromText'},
        {value: 'image2video', label: 'common.mediaFromImage'},
      ],
      isClearable: true,
    },
    {kind: 'prompt', key: 'prompt', label: 'common.mediaPrompt', most: soraLimits.prompt, isRequired: true},
    {
      kind: 'files',
      key: 'image_urls',
      label: 'common.mediaImages',
      ...imageFiles,
      most: soraLimits.images,
      showIf: ({action}) => action === 'image2video',
    },
    {
      kind: 'segmented',
      key: 'model',
      label: 'common.mediaModel',
      choices: namedChoices({'sora-2': 'Sora 2', 'sora-2-pro': 'Sora 2 Pro'}),
    },
    {
      kind: 'segmented',
      key: 'duration',
      label: 'common.mediaDuration',
      choices: ({model}) => secondChoices(soraDurationsOf(model)),
    },
    {
      kind: 'segmented',
      key: 'orientation',
      label: 'orientation',
      choices: labelledChoices(['landscape', 'portrait'] as const, prefixed('orientation')),
    },
    {
      kind: 'segmented',
      key: 'size',
      label: 'common.mediaSize',
      choices: labelledChoices(soraSizes, prefixed('size')),
    },
  ],
  actions: [],
  examples: [
    {label: 'exampleTram', set: {orientation: 'landscape'}},
    {label: 'exampleOctopus', set: {orientation: 'landscape', duration: 15}},
    {label: 'exampleRooftop', set: {orientation: 'portrait'}},
  ],
})
