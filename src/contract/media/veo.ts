import {z} from '../schema.ts'
import {lengthOf, readVideos, sizeOf} from './media-answer.ts'
import {
  address,
  anyOf,
  changed,
  faultsOf,
  field,
  listField,
  missing,
  needs,
  noImage,
  noPrompt,
  priceElse,
  priceWhen,
  ratioOf,
  resultId,
  settled,
  switchField,
  text,
  textField,
  tooLong,
  tooMany,
  withoutEmpty,
} from './media-rules.ts'
import {defineOperation, defineTool, type ToolExample, type ToolIdentity} from './media-tool.ts'

export const identity = {
  id: 'veo',
  name: 'Veo',
  group: 'video',
  service: 'veo',
  serviceId: '73cd74ba-a1bd-4a12-8df6-11d64c38df14',
  order: 40,
  inputs: [
    {medium: 'image', field: 'image_urls', label: 'common.mediaFrames', most: 2, set: {action: 'image2video'}},
    {medium: 'text', field: 'prompt', label: 'common.mediaPrompt', most: 1, set: {action: 'text2video'}},
  ],
} as const satisfies ToolIdentity

export const example = {path: '/veo/videos', body: {prompt: 'Waves roll onto a beach'}} as const satisfies ToolExample

const veoActions = ['text2video', 'image2video', 'get1080p'] as const
export const veoModels = ['veo2', 'veo2-fast', 'veo3', 'veo3-fast'] as const
export const veoRatios = ['1:1', '4:3', '3:4', '16:9', '9:16'] as const
export const veoLimits = {prompt: 500, images: 2}

/** Contract/media §2.6; the specification's "type" is `action` (§4.2). `video_id` is the result to get in 1080p. */
const form = z.object({
  action: field(z.enum([...veoActions, '']), 'text2video'),
  model: field(z.enum(veoModels), 'veo2-fast'),
  prompt: textField(),
  translation: switchField(false),
  aspect_ratio: field(z.enum(veoRatios), '16:9'),
  image_urls: listField(),
  video_id: textField(),
  video_url: textField(),
})

const videoBody = z
  .strictObject({
    action: z._default(anyOf(veoActions), 'text2video'),
    model: z._default(z.enum(veoModels), 'veo2-fast'),
    prompt: z._default(text(veoLimits.prompt), ''),
    translation: z._default(z.boolean(), false),
    aspect_ratio: z._default(z.enum(veoRatios), '16:9'),
    image_urls: z._default(z.array(address).check(z.maxLength(veoLimits.images)), []),
    video_id: z.optional(resultId),
    video_url: z.optional(address),
  })
  .check(
    needs('video_id', ({action, video_id}) => action !== 'get1080p' || video_id !== undefined),
    needs('image_urls', ({action, image_urls}) => action !== 'image2video' || image_urls.length > 0),
    needs('prompt', ({action, prompt}) => action !== 'text2video' || prompt.trim() !== ''),
  )

export const tool = defineTool({
  identity,
  taskType: 'videos',
  form,
  operations: {
    videos: defineOperation({
      path: '/veo/videos',
      taskType: 'videos',
      body: videoBody,
      plan: (body) => ({
        medium: 'video',
        prompt: body.prompt,
        count: 1,
        aspectRatio: ratioOf(body.aspect_ratio, [16, 9]),
        durationSeconds: 8,
        sources: body.action === 'image2video' ? body.image_urls : [],
        ...(body.action === 'get1080p' ? {action: body.action, sourceId: body.video_id} : {}),
      }),
      respond: (results, _body, progress) => ({
        data:
          results.length === 0 || progress < 100
            ? [{state: 'running'}]
            : results.map(({madeAt, ...video}) => ({
                id: video.id,
                video_url: video.url,
                ...sizeOf(video),
                ...lengthOf(video),
                state: 'succeeded',
                ...(madeAt === undefined ? {} : {created_at: wallTime(madeAt), complete_at: wallTime(madeAt)}),
              })),
      }),
    }),
  },
  settle: (values) => {
    if (values.action !== 'get1080p') return changed(values, {video_id: '', video_url: ''})
    return values.video_id === '' ? changed(values, {action: 'text2video', video_url: ''}, ['action']) : settled(values)
  },
  faults: ({action, prompt, image_urls, video_id}) => {
    if (action === 'get1080p') return faultsOf(missing('video_id', video_id, 'common.mediaVideoNeeded'))
    return faultsOf(
      ...(action === 'image2video'
        ? [noImage('image_urls', image_urls), tooMany('image_urls', image_urls, veoLimits.images)]
        : [noPrompt(prompt)]),
      tooLong('prompt', prompt, veoLimits.prompt),
    )
  },
  submit: ({image_urls, ...values}) => {
    const {action, video_id, video_url} = values
    // of a finished video nothing else counts, and a prompt that is hidden then must not be refused
    if (action === 'get1080p') return {operation: 'videos', body: withoutEmpty({action, video_id, video_url})}
    return {
      operation: 'videos',
      body: {...withoutEmpty(values), image_urls: action === 'image2video' ? image_urls : []},
    }
  },
  read: (response) => readVideos(response),
  price: [
    priceWhen({action: 'get1080p'}, 0.5),
    priceWhen({model: 'veo3'}, 12),
    priceWhen({model: 'veo3-fast'}, 5),
    priceWhen({model: 'veo2'}, 8),
    priceElse(3),
  ],
})

/** `2026-09-21 10:00:00`, as this tool writes its times (upstream §0.9). */
function wallTime(iso: string): string {
  return iso.replace('T', ' ').slice(0, 19)
}
