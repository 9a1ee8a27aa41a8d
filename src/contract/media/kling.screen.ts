import {klingDurations, klingLimits, klingModels, klingRatios, tool} from './kling.ts'
import {namedChoices, imageFiles, plainChoices, secondChoices} from './media-fields.ts'
import {defineScreen} from './media-screen.ts'

const isNew = ({video_id}: {video_id: string}) => video_id === ''

export const screen = defineScreen(tool, {
  results: 'grid',
  fields: [
    {
      kind: 'taskRef',
      key: 'video_id',
      previewKey: 'video_url',
      label: 'common.mediaSource',
      showIf: (form) => !isNew(form),
    },
    {kind: 'prompt', key: 'prompt', label: 'common.mediaPrompt', most: klingLimits.prompt},
    {kind: 'files', ...imageFiles, most: 1, key: 'start_image_url', label: 'common.mediaStartFrame', showIf: isNew},
    {kind: 'files', ...imageFiles, most: 1, key: 'end_image_url', label: 'common.mediaEndFrame', showIf: isNew},
    {
      kind: 'select',
      key: 'model',
      label: 'common.mediaModel',
      choices: namedChoices({
        'kling-v1': 'v1',
        'kling-v1-5': 'v1.5',
        'kling-v1-6': 'v1.6',
        'kling-v2-master': 'v2 Master',
        'kling-v2-1': 'v2.1',
        'kling-v2-1-master': 'v2.1 Master',
      }),
    },
    {
      kind: 'segmented',
      key: 'mode',
      label: 'common.mediaQuality',
      choices: [
        {value: 'std', label: 'modeStandard'},
        {value: 'pro', text: 'Pro'},
      ],
      isClearable: true,
    },
    {kind: 'ratio', key: 'aspect_ratio', label: 'common.mediaRatio', choices: plainChoices(klingRatios)},
    {kind: 'segmented', key: 'duration', label: 'common.mediaDuration', choices: secondChoices(klingDurations)},
    {kind: 'slider', key: 'cfg_scale', label: 'guidance', help: 'guidanceHelp', least: 0, most: 1, step: 0.1},
    {kind: 'text', key: 'negative_prompt', label: 'common.mediaAvoid', most: klingLimits.avoid},
  ],
  actions: [
    {
      id: 'extend',
      label: 'common.mediaExtend',
      medium: 'video',
      when: ({artifact}) => artifact.id !== undefined && artifact.url !== undefined,
      fill: ({artifact, request}, form) => ({
        ...form,
        prompt: typeof request.prompt === 'string' ? request.prompt : form.prompt,
        aspect_ratio: klingRatios.find((ratio) => ratio === request.aspect_ratio) ?? form.aspect_ratio,
        // the added part matches only if the same model makes it in the same mode
        model: klingModels.find((model) => model === request.model) ?? form.model,
        mode: request.mode === 'std' || request.mode === 'pro' ? request.mode : form.mode,
        video_id: artifact.id ?? '',
        video_url: artifact.url ?? '',
        start_image_url: '',
        end_image_url: '',
      }),
    },
  ],
  examples: [
    {label: 'exampleHarbour', set: {aspect_ratio: '16:9'}},
    {label: 'exampleDancer', set: {aspect_ratio: '9:16'}},
    {label: 'exampleForest', set: {aspect_ratio: '16:9', duration: 10}},
  ],
})
