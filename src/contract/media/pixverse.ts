import {z} from '../schema.ts'
import {numberIn, readVideos, textIn} from './media-answer.ts'
import {
  address,
  anyOf,
  faultsOf,
  field,
  needs,
  noPrompt,
  openField,
  priceElse,
  priceWhen,
  ratioOf,
  settled,
  text,
  textField,
  tooLong,
  wholeBetween,
  withoutEmpty,
} from './media-rules.ts'
import {defineOperation, defineTool, type ToolExample, type ToolIdentity} from './media-tool.ts'

export const identity = {
  id: 'pixverse',
  name: 'PixVerse',
  group: 'video',
  service: 'pixverse',
  serviceId: '74e74695-ceff-49d1-ac84-cfa876225ae8',
  order: 60,
  inputs: [
    {medium: 'image', field: 'image_url', label: 'common.mediaStartFrame', most: 1},
    {medium: 'text', field: 'prompt', label: 'common.mediaPrompt', most: 1},
  ],
} as const satisfies ToolIdentity

export const example = {
  path: '/pixverse/videos',
  body: {prompt: 'Waves roll onto a beach', duration: 5},
} as const satisfies ToolExample

export const pixverseModels = ['v3.5', 'v4', 'v4.5'] as const
export const pixverseStyles = ['cyberpunk', 'anime', 'comic', 'clay', '3d_animation', 'realistic'] as const
export const pixverseRatios = ['1:1', '4:3', '3:4', '16:9', '9:16'] as const
export const pixverseQualities = ['360p', '540p', '720p', '1080p'] as const
export const pixverseMotions = ['normal', 'fast'] as const
export const pixverseDurations = [5, 8] as const
export const pixverseLimits = {prompt: 500, seed: 1000}

/** Contract/media §2.8; the specification's "version" is `model` (§4.3). */
const form = z.object({
  prompt: textField(),
  model: field(z.enum(pixverseModels), 'v3.5'),
  image_url: textField(),
  aspect_ratio: field(z.enum(pixverseRatios), '16:9'),
  duration: field(z.literal(pixverseDurations), 5),
  quality: field(z.enum(pixverseQualities), '540p'),
  motion: field(z.enum(pixverseMotions), 'normal'),
  style: field(z.enum([...pixverseStyles, '']), ''),
  seed: openField(wholeBetween(0, pixverseLimits.seed)),
})

const videoBody = z
  .strictObject({
    action: z.optional(anyOf(['generate', 'extend'])),
    mode: z.optional(text(40)),
    prompt: z._default(text(pixverseLimits.prompt), ''),
    model: z._default(z.enum(pixverseModels), 'v3.5'),
    image_url: z.optional(address),
    frame: z.optional(z.array(address).check(z.maxLength(2))),
    aspect_ratio: z._default(z.enum(pixverseRatios), '16:9'),
    duration: z._default(anyOf(pixverseDurations), 5),
    quality: z._default(z.enum(pixverseQualities), '540p'),
    motion: z._default(z.enum(pixverseMotions), 'normal'),
    style: z.optional(z.enum([...pixverseStyles, ''])),
    seed: z.optional(wholeBetween(0, pixverseLimits.seed)),
    template_id: z.optional(z.int()),
  })
  .check(
    needs('prompt', ({prompt, image_url, frame = []}) => prompt.trim() !== '' || (image_url ?? frame[0]) !== undefined),
  )

export const tool = defineTool({
  identity,
  taskType: 'videos',
  form,
  operations: {
    videos: defineOperation({
      path: '/pixverse/videos',
      taskType: 'videos',
      body: videoBody,
      plan: ({action, prompt, style, image_url, frame = [], aspect_ratio, duration, quality, seed}) => ({
        medium: 'video',
        prompt: [prompt, style].filter((part) => part !== undefined && part !== '').join(', '),
        count: 1,
        aspectRatio: ratioOf(aspect_ratio, [16, 9]),
        lines: Number.parseInt(quality),
        durationSeconds: duration,
        ...(seed === undefined ? {} : {seed}),
        sources: image_url === undefined ? frame : [image_url, ...frame],
        ...(action === 'extend' ? {action} : {}),
      }),
      respond: (results, body, progress) => {
        const {prompt, model, quality, motion, style = '', aspect_ratio, duration} = body
        const requestFields = {prompt, model, quality, motion, style, aspect_ratio, duration}
        if (results.length === 0 || progress < 100) return {data: [{...requestFields, state: 'processing'}]}
        return {
          data: results.map((video) => ({
            ...requestFields,
            id: wholeId(video.id),
            video_url: video.url,
            first_frame: video.previewUrl,
            video_width: video.width,
            video_height: video.height,
            quality: qualityOf(video) ?? quality,
            seed: body.seed ?? video.seed,
            duration: video.durationSeconds ?? duration,
          })),
        }
      },
    }),
  },
  settle: settled,
  faults: ({prompt, image_url}) =>
    faultsOf(image_url === '' ? noPrompt(prompt) : undefined, tooLong('prompt', prompt, pixverseLimits.prompt)),
  submit: (values) => ({operation: 'videos', body: withoutEmpty(values)}),
  read: (response) =>
    readVideos(response, (item) => ({
      previewUrl: textIn(item, 'first_frame'),
      width: numberIn(item, 'video_width'),
      height: numberIn(item, 'video_height'),
      style: textIn(item, 'style'),
      seed: numberIn(item, 'seed'),
    })),
  price: [
    ...pixverseDurations.flatMap((duration) => {
      const longer = duration === 8 ? 2 : 1
      return [
        priceWhen({quality: '1080p', duration}, 4.8 * longer),
        priceWhen({quality: '720p', motion: 'fast', duration}, 4.8 * longer),
        priceWhen({quality: '720p', duration}, 2.4 * longer),
        priceWhen({motion: 'fast', duration}, 3.2 * longer),
        priceWhen({duration}, 1.6 * longer),
      ]
    }),
    priceElse(1.6),
  ],
})

/** Quality of the actual result, whatever was requested. */
const qualityOf = ({width = 0, height = 0}: {width?: number; height?: number}) =>
  pixverseQualities.find((quality) => Number.parseInt(quality) === Math.min(width, height))

/** Ids of this tool are whole numbers (upstream §0.11): derives a stable one from our text id. */
function wholeId(id: string): number {
  let number = 7
  for (const character of id) number = (number * 31 + (character.codePointAt(0) ?? 0)) % 2 ** 48
  return number
}
