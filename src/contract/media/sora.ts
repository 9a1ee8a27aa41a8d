import {brokenRule} from '../rule.ts'
import {z} from '../schema.ts'
import {lengthOf, readVideos, sizeOf} from './media-answer.ts'
import {
  address,
  anyOf,
  changed,
  faultsOf,
  field,
  listField,
  needs,
  noImage,
  noPrompt,
  priceElse,
  priceWhen,
  settled,
  text,
  textField,
  tooLong,
  tooMany,
  withoutEmpty,
} from './media-rules.ts'
import {defineOperation, defineTool, type ToolExample, type ToolIdentity} from './media-tool.ts'

export const identity = {
  id: 'sora',
  name: 'Sora',
  group: 'video',
  service: 'sora',
  serviceId: 'b0761231-74e6-42d3-a095-c1987a61e900',
  order: 50,
  inputs: [
    {medium: 'image', field: 'image_urls', label: 'common.mediaImages', most: 2, set: {action: 'image2video'}},
    {medium: 'text', field: 'prompt', label: 'common.mediaPrompt', most: 1},
  ],
} as const satisfies ToolIdentity

export const example = {
  path: '/sora/videos',
  body: {prompt: 'Waves roll onto a beach', duration: 10},
} as const satisfies ToolExample

const soraModels = ['sora-2', 'sora-2-pro'] as const
const soraDurations = [10, 15, 25] as const
type SoraDuration = (typeof soraDurations)[number]
/** Seconds by model (spec §5). */
export const soraDurationsOf = (model: (typeof soraModels)[number]): readonly SoraDuration[] =>
  model === 'sora-2-pro' ? soraDurations : [10, 15]
export const soraSizes = ['small', 'large'] as const
export const soraLimits = {prompt: 500, images: 2}
const ratios = {landscape: [16, 9], portrait: [9, 16], square: [1, 1]} as const

/** Contract/media §2.7; the specification's "type" is `action` (§4.2). */
const form = z.object({
  action: field(z.enum(['text2video', 'image2video', '']), 'text2video'),
  model: field(z.enum(soraModels), 'sora-2'),
  prompt: textField(),
  image_urls: listField(),
  duration: field(z.literal(soraDurations), 10),
  size: field(z.enum(soraSizes), 'small'),
  orientation: field(z.enum(['landscape', 'portrait']), 'landscape'),
})

const videoBody = z
  .strictObject({
    action: z._default(anyOf(['text2video', 'image2video']), 'text2video'),
    model: z._default(z.enum(soraModels), 'sora-2'),
    prompt: text(soraLimits.prompt),
    image_urls: z._default(z.array(address).check(z.maxLength(soraLimits.images)), []),
    duration: z._default(anyOf(soraDurations), 10),
    size: z._default(z.enum(soraSizes), 'small'),
    orientation: z._default(anyOf(['landscape', 'portrait', 'square']), 'landscape'),
    character_url: z.optional(address),
    character_start: z.optional(z.number().check(z.minimum(0))),
    character_end: z.optional(z.number().check(z.minimum(0))),
  })
  .check(
    needs('prompt', ({prompt}) => prompt.trim() !== ''),
    needs('image_urls', ({action, image_urls}) => action !== 'image2video' || image_urls.length > 0),
    z.refine(({model, duration}) => soraDurationsOf(model).includes(duration), {
      path: ['duration'],
      ...brokenRule('ruleVideoLength'),
    }),
  )

export const tool = defineTool({
  identity,
  taskType: 'videos',
  form,
  operations: {
    videos: defineOperation({
      path: '/sora/videos',
      taskType: 'videos',
      body: videoBody,
      plan: ({prompt, orientation, duration, size, action, image_urls}) => ({
        medium: 'video',
        prompt,
        count: 1,
        aspectRatio: ratios[orientation],
        lines: size === 'large' ? 720 : undefined,
        durationSeconds: duration,
        sources: action === 'image2video' ? image_urls : [],
      }),
      respond: (results, _body, progress) => ({
        data:
          results.length === 0 || progress < 100
            ? [{state: 'pending'}]
            : results.map((video) => ({
                id: video.id,
                video_url: video.url,
                ...sizeOf(video),
                ...lengthOf(video),
                state: 'succeeded',
              })),
      }),
    }),
  },
  settle: (values) =>
    soraDurationsOf(values.model).includes(values.duration)
      ? settled(values)
      : changed(values, {duration: 10}, ['duration']),
  faults: ({action, prompt, image_urls}) =>
    faultsOf(
      ...(action === 'image2video'
        ? [noImage('image_urls', image_urls), tooMany('image_urls', image_urls, soraLimits.images)]
        : []),
      noPrompt(prompt),
      tooLong('prompt', prompt, soraLimits.prompt),
    ),
  submit: ({image_urls, ...values}) => ({
    operation: 'videos',
    body: {...withoutEmpty(values), image_urls: values.action === 'image2video' ? image_urls : []},
  }),
  read: (response) => readVideos(response),
  price: [
    ...soraDurations.flatMap((duration) => [
      priceWhen({model: 'sora-2-pro', size: 'large', duration}, duration * 2),
      priceWhen({model: 'sora-2-pro', duration}, duration * 1.2),
      priceWhen({size: 'large', duration}, duration * 0.6),
      priceWhen({duration}, duration * 0.4),
    ]),
    priceElse(4),
  ],
})
