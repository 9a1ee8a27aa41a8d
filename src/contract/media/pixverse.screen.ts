import {labelledChoices, imageFiles, plainChoices, prefixed, secondChoices} from './media-fields.ts'
import {defineScreen} from './media-screen.ts'
import {
  pixverseDurations,
  pixverseLimits,
  pixverseModels,
  pixverseMotions,
  pixverseQualities,
  pixverseRatios,
  pixverseStyles,
  tool,
} from './pixverse.ts'

export const screen = defineScreen(tool, {
  results: 'grid',
  fields: [
    {kind: 'prompt', key: 'prompt', label: 'common.mediaPrompt', most: pixverseLimits.prompt},
    {kind: 'files', key: 'image_url', label: 'common.mediaStartFrame', ...imageFiles, most: 1},
    {kind: 'segmented', key: 'model', label: 'common.mediaModel', choices: plainChoices(pixverseModels)},
    {kind: 'ratio', key: 'aspect_ratio', label: 'common.mediaRatio', choices: plainChoices(pixverseRatios)},
    {kind: 'segmented', key: 'duration', label: 'common.mediaDuration', choices: secondChoices(pixverseDurations)},
    {kind: 'segmented', key: 'quality', label: 'common.mediaQuality', choices: plainChoices(pixverseQualities)},
    {
      kind: 'segmented',
      key: 'motion',
      label: 'motion',
      choices: labelledChoices(pixverseMotions, prefixed('motion')),
    },
    {
      kind: 'tiles',
      key: 'style',
      label: 'common.mediaStyle',
      choices: labelledChoices(pixverseStyles, prefixed('style')),
      isClearable: true,
    },
    {
      kind: 'number',
      key: 'seed',
      label: 'common.mediaSeed',
      help: 'common.mediaSeedHelp',
      group: 'advanced',
      least: 0,
      most: pixverseLimits.seed,
      isClearable: true,
    },
  ],
  actions: [],
  examples: [
    {label: 'exampleMoth', set: {style: 'realistic'}},
    {label: 'exampleRobot', set: {style: 'clay'}},
    {label: 'exampleDragon', set: {style: 'anime', aspect_ratio: '9:16'}},
  ],
})
