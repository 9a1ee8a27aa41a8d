import {z} from '../schema.ts'
import {numberIn, reading, sizeIn, sizeOf, textIn, artifact} from './media-answer.ts'
import {
  address,
  anyOf,
  between,
  faultsOf,
  field,
  needs,
  noPrompt,
  priceElse,
  priceWhen,
  rangeField,
  ratioOf,
  resultId,
  settled,
  text,
  textField,
  tooLong,
  withoutEmpty,
} from './media-rules.ts'
import {defineOperation, defineTool, type ToolExample, type ToolIdentity} from './media-tool.ts'

export const identity = {
  id: 'kling',
  name: 'Kling',
  group: 'video',
  service: 'kling',
  serviceId: '3369e077-2500-4263-86c7-cae0f0e7e843',
  order: 30,
  inputs: [
    // a frame begins a new video, so the video to extend leaves the form
    {
      medium: 'image',
      field: 'start_image_url',
      label: 'common.mediaStartFrame',
      most: 1,
      set: {video_id: '', video_url: ''},
    },
    {
      medium: 'image',
      field: 'end_image_url',
      label: 'common.mediaEndFrame',
      most: 1,
      set: {video_id: '', video_url: ''},
    },
    {medium: 'text', field: 'prompt', label: 'common.mediaPrompt', most: 1},
  ],
} as const satisfies ToolIdentity

export const example = {
  path: '/kling/videos',
  body: {prompt: 'Waves roll onto a beach', duration: 5},
} as const satisfies ToolExample

export const klingModels = [
  'kling-v1',
  'kling-v1-5',
  'kling-v1-6',
  'kling-v2-master',
  'kling-v2-1',
  'kling-v2-1-master',
] as const
export const klingRatios = ['1:1', '16:9', '9:16'] as const
export const klingDurations = [5, 10] as const
export const klingLimits = {prompt: 500, avoid: 200}

/** Contract/media §2.5. `video_id` with its image-only `video_url` is the result to extend (upstream §4). */
const form = z.object({
  prompt: textField(),
  model: field(z.enum(klingModels), 'kling-v1'),
  aspect_ratio: field(z.enum(klingRatios), '1:1'),
  start_image_url: textField(),
  end_image_url: textField(),
  duration: field(z.literal(klingDurations), 5),
  mode: field(z.enum(['std', 'pro', '']), 'std'),
  cfg_scale: rangeField(0, 1, 0),
  negative_prompt: textField(),
  video_id: textField(),
  video_url: textField(),
})

const videoBody = z
  .strictObject({
    action: z.optional(anyOf(['text2video', 'image2video', 'extend'])),
    prompt: z._default(text(klingLimits.prompt), ''),
    model: z._default(z.enum(klingModels), 'kling-v1'),
    aspect_ratio: z._default(z.enum(klingRatios), '1:1'),
    start_image_url: z.optional(address),
    end_image_url: z.optional(address),
    duration: z._default(anyOf(klingDurations), 5),
    mode: z._default(anyOf(['std', 'pro']), 'std'),
    cfg_scale: z._default(between(0, 1), 0),
    negative_prompt: z.optional(text(klingLimits.avoid)),
    video_id: z.optional(resultId),
    camera_control: z.optional(z.looseObject({})),
    mirror: z.optional(z.boolean()),
  })
  .check(
    needs('video_id', ({action, video_id}) => action !== 'extend' || video_id !== undefined),
    needs('start_image_url', ({action, start_image_url}) => action !== 'image2video' || start_image_url !== undefined),
    needs(
      'prompt',
      (body) => body.prompt.trim() !== '' || body.start_image_url !== undefined || body.action === 'extend',
    ),
  )

export const tool = defineTool({
  identity,
  taskType: 'videos',
  form,
  operations: {
    videos: defineOperation({
      path: '/kling/videos',
      taskType: 'videos',
      body: videoBody,
      plan: (body) => ({
        medium: 'video',
        prompt: body.prompt,
        count: 1,
        aspectRatio: ratioOf(body.aspect_ratio, [1, 1]),
        lines: body.mode === 'pro' ? 720 : undefined,
        durationSeconds: body.duration,
        sources: [body.start_image_url, body.end_image_url].filter((url) => url !== undefined),
        ...(body.action === 'extend' ? {action: body.action, sourceId: body.video_id} : {}),
      }),
      respond: ([video], _body, progress) =>
        video === undefined || progress < 100
          ? {state: 'processing'}
          : {
              video_id: video.id,
              video_url: video.url,
              duration: String(video.durationSeconds ?? ''),
              ...sizeOf(video),
              state: 'succeed',
            },
    }),
  },
  settle: settled,
  faults: (values) =>
    faultsOf(
      values.start_image_url === '' && values.video_id === '' ? noPrompt(values.prompt) : undefined,
      tooLong('prompt', values.prompt, klingLimits.prompt),
      tooLong('negative_prompt', values.negative_prompt, klingLimits.avoid),
    ),
  submit: ({video_url: _shown, video_id, ...values}) => ({
    operation: 'videos',
    body: withoutEmpty({
      ...values,
      ...(video_id === '' ? {} : {action: 'extend' as const, video_id, start_image_url: '', end_image_url: ''}),
    } satisfies WireBody),
  }),
  read: (response) => {
    const url = textIn(response, 'video_url')
    const id = textIn(response, 'video_id')
    const state = textIn(response, 'state')
    const video = artifact({
      medium: 'video',
      url,
      id,
      durationSeconds: numberIn(response, 'duration'),
      ...sizeIn(response),
    })
    return reading(url === undefined && id === undefined ? [] : [video], {
      // an intermediate step at Kling, the end elsewhere: without a video the task is not done (contract/media §2.5)
      state: state === 'completed' && url === undefined ? 'processing' : state,
      progress: numberIn(response, 'progress'),
    })
  },
  price: [
    ...klingModels.flatMap((model) => {
      const base = model.endsWith('master') ? 14 : model === 'kling-v1' ? 1.4 : 2.8
      return [
        priceWhen({model, mode: 'pro', duration: 10}, base * 3.5),
        priceWhen({model, mode: 'pro'}, base * 1.75),
        priceWhen({model, duration: 10}, base * 2),
        priceWhen({model}, base),
      ]
    }),
    priceElse(1.4),
  ],
})

/** Types of the form's body: unset values are empty texts, which `withoutEmpty` removes. */
type WireBody = {[Key in keyof z.input<typeof videoBody>]?: z.input<typeof videoBody>[Key] | ''}
