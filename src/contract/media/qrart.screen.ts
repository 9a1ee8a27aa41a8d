import {codeContent, codeRoom, qrOptions, utf8Length} from './media-codes.ts'
import {labelledChoices, imageFiles, plainChoices, prefixed} from './media-fields.ts'
import {defineScreen} from './media-screen.ts'
import {qrPromptLimit, tool} from './qrart.ts'

const isTyped = ({source}: {source: string}) => source === 'typed'
const shape = prefixed('shape')

export const screen = defineScreen(tool, {
  results: 'grid',
  fields: [
    {
      kind: 'segmented',
      key: 'source',
      label: 'source',
      choices: [
        {value: 'typed', label: 'sourceTyped'},
        {value: 'picture', label: 'sourcePicture'},
      ],
    },
    {
      kind: 'select',
      key: 'type',
      label: 'type',
      choices: labelledChoices(qrOptions.types, prefixed('type')),
      showIf: isTyped,
    },
    {
      kind: 'text',
      key: 'content',
      label: 'content',
      help: 'contentHelp',
      most: codeRoom.L,
      room: ({type, content, ecl}) => ({now: utf8Length(codeContent(type, content)), most: codeRoom[ecl]}),
      showIf: isTyped,
    },
    {
      kind: 'files',
      key: 'content_image_url',
      label: 'codePicture',
      ...imageFiles,
      most: 1,
      showIf: (form) => !isTyped(form),
    },
    {kind: 'prompt', key: 'prompt', label: 'common.mediaPrompt', most: qrPromptLimit},
    {kind: 'ratio', key: 'aspect_ratio', label: 'common.mediaRatio', choices: plainChoices(qrOptions.ratios)},
    {
      kind: 'tiles',
      key: 'preset',
      label: 'preset',
      choices: labelledChoices(qrOptions.presets, prefixed('preset')),
      isClearable: true,
    },
    {kind: 'slider', key: 'qrw', label: 'strength', help: 'strengthHelp', least: 1.5, most: 3, step: 0.1},
    {
      kind: 'select',
      key: 'position',
      label: 'position',
      choices: labelledChoices(qrOptions.positions, prefixed('position')),
    },
    {kind: 'slider', key: 'steps', label: 'steps', group: 'advanced', least: 10, most: 20, step: 1},
    {
      kind: 'select',
      key: 'pixel_style',
      label: 'pixelStyle',
      group: 'advanced',
      choices: labelledChoices(qrOptions.pixelStyles, shape),
    },
    {
      kind: 'select',
      key: 'marker_shape',
      label: 'markerShape',
      group: 'advanced',
      choices: labelledChoices(qrOptions.markerShapes, shape),
    },
    {
      kind: 'select',
      key: 'sub_marker',
      label: 'subMarker',
      group: 'advanced',
      choices: labelledChoices(qrOptions.subMarkers, shape),
    },
    {
      kind: 'segmented',
      key: 'rotate',
      label: 'rotate',
      group: 'advanced',
      choices: qrOptions.rotations.map((value) => ({value, text: `${value}°`})),
    },
    {
      kind: 'segmented',
      key: 'ecl',
      label: 'correction',
      help: 'correctionHelp',
      group: 'advanced',
      choices: plainChoices(qrOptions.corrections),
    },
    {
      kind: 'segmented',
      key: 'padding_level',
      label: 'padding',
      group: 'advanced',
      choices: plainChoices(qrOptions.paddings),
    },
    {
      kind: 'segmented',
      key: 'padding_noise',
      label: 'paddingNoise',
      group: 'advanced',
      choices: labelledChoices(qrOptions.noises, () => 'common.mediaNumber'),
    },
    {
      kind: 'number',
      key: 'seed',
      label: 'common.mediaSeed',
      help: 'common.mediaSeedHelp',
      group: 'advanced',
      least: 1,
      most: Number.MAX_SAFE_INTEGER,
      isClearable: true,
    },
  ],
  actions: [],
  examples: [
    {label: 'exampleLemons', set: {preset: 'golden-vista'}},
    {label: 'exampleVillage', set: {preset: 'snowflakes'}},
    {label: 'exampleTemple', set: {preset: 'sunset'}},
  ],
})
