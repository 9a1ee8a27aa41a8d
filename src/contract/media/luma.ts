import {z} from '../schema.ts'
import {artifact, numberIn, reading, textIn} from './media-answer.ts'
import {
  address,
  anyOf,
  changed,
  faultsOf,
  field,
  missing,
  needs,
  noPrompt,
  priceElse,
  priceWhen,
  ratioOf,
  resultId,
  switchField,
  text,
  textField,
  tooLong,
  withoutEmpty,
} from './media-rules.ts'
import {defineOperation, defineTool, type ToolExample, type ToolIdentity} from './media-tool.ts'

export const identity = {
  id: 'luma',
  name: 'Luma',
  group: 'video',
  service: 'luma',
  serviceId: 'dff45a0d-2858-4936-8e2b-3d49c52aff11',
  order: 10,
  inputs: [
    {
      medium: 'image',
      field: 'start_image_url',
      label: 'common.mediaStartFrame',
      most: 1,
      set: {custom: false, video_id: '', video_url: ''},
    },
    {medium: 'image', field: 'end_image_url', label: 'common.mediaEndFrame', most: 1},
    {medium: 'video', field: 'video_url', label: 'videoToExtend', most: 1, set: {custom: true, video_id: ''}},
    {medium: 'text', field: 'prompt', label: 'common.mediaPrompt', most: 1},
  ],
} as const satisfies ToolIdentity

export const example = {path: '/luma/videos', body: {prompt: 'Waves roll onto a beach'}} as const satisfies ToolExample

export const lumaRatios = ['1:1', '4:3', '3:4', '16:9', '9:16', '21:9', '9:21'] as const
export const lumaPromptLimit = 2000

/**
 * Contract/media §2.3; the ratio is sent as `aspect_ratio` (spec §9, contract/media §4.1). `custom`: extends an
 * uploaded video; `video_id`, with its video and `thumbnail_url` to show: extends a result.
 */
const form = z.object({
  prompt: textField(),
  aspect_ratio: field(z.enum(lumaRatios), '1:1'),
  custom: switchField(false),
  video_id: textField(),
  video_url: textField(),
  thumbnail_url: textField(),
  start_image_url: textField(),
  end_image_url: textField(),
  enhancement: switchField(true),
  loop: switchField(false),
})

const videoBody = z
  .strictObject({
    action: z._default(anyOf(['generate', 'extend']), 'generate'),
    prompt: z._default(text(lumaPromptLimit), ''),
    aspect_ratio: z._default(z.enum(lumaRatios), '1:1'),
    start_image_url: z.optional(address),
    end_image_url: z.optional(address),
    video_id: z.optional(resultId),
    video_url: z.optional(address),
    enhancement: z._default(z.boolean(), true),
    loop: z._default(z.boolean(), false),
    timeout: z.optional(z.number().check(z.minimum(0))),
  })
  .check(
    needs('video_id', (body) => body.action !== 'extend' || (body.video_id ?? body.video_url) !== undefined),
    needs(
      'prompt',
      (body) =>
        body.action === 'extend' ||
        body.prompt.trim() !== '' ||
        (body.start_image_url ?? body.end_image_url) !== undefined,
    ),
  )

export const tool = defineTool({
  identity,
  form,
  operations: {
    videos: defineOperation({
      path: '/luma/videos',
      body: videoBody,
      plan: (body) => ({
        medium: 'video',
        prompt: body.prompt,
        count: 1,
        aspectRatio: ratioOf(body.aspect_ratio, [1, 1]),
        durationSeconds: 5,
        sources: [
          body.start_image_url,
          body.end_image_url,
          body.video_id === undefined ? body.video_url : undefined,
        ].filter((url) => url !== undefined),
        ...(body.action === 'extend' ? {action: 'extend', sourceId: body.video_id} : {}),
      }),
      respond: ([video], {prompt}, progress) =>
        video === undefined || progress < 100
          ? {prompt, state: 'processing'}
          : {
              prompt,
              state: 'completed',
              video_id: video.id,
              video_url: video.url,
              video_width: video.width,
              video_height: video.height,
              thumbnail_url: video.previewUrl,
              thumbnail_width: video.previewWidth,
              thumbnail_height: video.previewHeight,
            },
    }),
  },
  settle: (values) => {
    if (values.video_id !== '') return changed(values, {custom: false})
    return changed(values, {thumbnail_url: '', ...(values.custom ? {} : {video_url: ''})})
  },
  faults: (values) => {
    const isExtension = values.video_id !== '' || values.custom
    return faultsOf(
      values.custom ? missing('video_url', values.video_url, 'common.mediaVideoNeeded') : undefined,
      isExtension || values.start_image_url !== '' || values.end_image_url !== '' ? undefined : noPrompt(values.prompt),
      tooLong('prompt', values.prompt, lumaPromptLimit),
    )
  },
  submit: ({custom, thumbnail_url: _shown, ...values}) => {
    const isExtension = values.video_id !== '' || custom
    return {
      operation: 'videos',
      body: withoutEmpty({
        ...values,
        ...(isExtension ? {action: 'extend', start_image_url: ''} : {video_url: ''}),
      }),
    }
  },
  read: (response) => {
    const url = textIn(response, 'video_url')
    const id = textIn(response, 'video_id')
    const video = artifact({
      medium: 'video',
      url,
      id,
      previewUrl: textIn(response, 'thumbnail_url'),
      width: numberIn(response, 'video_width'),
      height: numberIn(response, 'video_height'),
    })
    return reading(url === undefined && id === undefined ? [] : [video], {
      state: textIn(response, 'state'),
      progress: numberIn(response, 'progress'),
    })
  },
  reuse: (request) => ({
    ...request,
    custom: typeof request.video_url === 'string' && typeof request.video_id !== 'string',
  }),
  price: [priceWhen({action: 'extend'}, 2.4), priceElse(2)],
})
