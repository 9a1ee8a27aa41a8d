import {hailuoPromptLimit, tool} from './hailuo.ts'
import {imageFiles} from './media-fields.ts'
import {defineScreen} from './media-screen.ts'

export const screen = defineScreen(tool, {
  results: 'grid',
  fields: [
    {kind: 'prompt', key: 'prompt', label: 'common.mediaPrompt', most: hailuoPromptLimit},
    {
      kind: 'segmented',
      key: 'model',
      label: 'common.mediaModel',
      choices: [
        {value: 'minimax-t2v', label: 'common.mediaFromText'},
        {value: 'minimax-i2v', label: 'common.mediaFromImage'},
      ],
      isClearable: true,
    },
    {
      kind: 'files',
      key: 'first_image_url',
      label: 'common.mediaStartFrame',
      ...imageFiles,
      most: 1,
      showIf: ({model}) => model === 'minimax-i2v',
    },
  ],
  actions: [],
  examples: [
    {label: 'exampleSurf', set: {model: 'minimax-t2v'}},
    {label: 'exampleTrain', set: {model: 'minimax-t2v'}},
    {label: 'exampleBaker', set: {model: 'minimax-t2v'}},
  ],
})
