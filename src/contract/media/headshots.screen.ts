import {headshotImages, headshotTemplates, tool} from './headshots.ts'
import {labelledChoices, imageFiles, prefixed} from './media-fields.ts'
import {defineScreen} from './media-screen.ts'

export const screen = defineScreen(tool, {
  results: 'grid',
  fields: [
    {
      kind: 'tiles',
      key: 'template',
      label: 'template',
      choices: labelledChoices(headshotTemplates, prefixed('template')),
      isClearable: true,
    },
    {
      kind: 'files',
      key: 'image_urls',
      label: 'portraits',
      help: 'portraitsHelp',
      ...imageFiles,
      most: headshotImages,
    },
    {
      kind: 'segmented',
      key: 'mode',
      label: 'common.mediaSpeed',
      group: 'foot',
      choices: [
        {value: 'fast', label: 'common.mediaFast'},
        {value: 'relax', label: 'common.mediaRelax'},
      ],
    },
  ],
  actions: [],
  examples: [
    {label: 'exampleBusiness', set: {template: 'business_photo'}},
    {label: 'exampleWedding', set: {template: 'wedding'}},
    {label: 'exampleShirt', set: {template: 'logo_tshirt'}},
  ],
})
