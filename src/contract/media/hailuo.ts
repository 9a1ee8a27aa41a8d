import {z} from '../schema.ts'
import {lengthOf, readVideos, sizeOf, textIn} from './media-answer.ts'
import {
  address,
  anyOf,
  faultsOf,
  field,
  needs,
  noImage,
  noPrompt,
  priceElse,
  priceWhen,
  settled,
  text,
  textField,
  tooLong,
  withoutEmpty,
} from './media-rules.ts'
import {defineOperation, defineTool, type ToolExample, type ToolIdentity} from './media-tool.ts'

export const identity = {
  id: 'hailuo',
  name: 'Hailuo',
  group: 'video',
  service: 'hailuo',
  serviceId: '5eaa73b7-b9a7-4a17-afb3-f658fd5495b0',
  order: 70,
  inputs: [
    {medium: 'image', field: 'first_image_url', label: 'common.mediaStartFrame', most: 1, set: {model: 'minimax-i2v'}},
    {medium: 'text', field: 'prompt', label: 'common.mediaPrompt', most: 1},
  ],
} as const satisfies ToolIdentity

export const example = {
  path: '/hailuo/videos',
  body: {prompt: 'Waves roll onto a beach'},
} as const satisfies ToolExample

const hailuoModels = ['minimax-t2v', 'minimax-i2v'] as const
export const hailuoPromptLimit = 300

/** Contract/media §2.10. The image belongs to the model that starts from an image. */
const form = z.object({
  prompt: textField(),
  model: field(z.enum([...hailuoModels, '']), 'minimax-t2v'),
  first_image_url: textField(),
})

const videoBody = z
  .strictObject({
    action: z.optional(anyOf(['generate'])),
    prompt: z._default(text(hailuoPromptLimit), ''),
    model: z._default(z.enum(hailuoModels), 'minimax-t2v'),
    first_image_url: z.optional(address),
  })
  .check(
    needs('first_image_url', ({model, first_image_url}) => model === 'minimax-t2v' || first_image_url !== undefined),
    needs('prompt', ({prompt, first_image_url}) => prompt.trim() !== '' || first_image_url !== undefined),
  )

export const tool = defineTool({
  identity,
  taskType: 'videos',
  form,
  operations: {
    videos: defineOperation({
      path: '/hailuo/videos',
      taskType: 'videos',
      body: videoBody,
      plan: ({prompt, first_image_url}) => ({
        medium: 'video',
        prompt,
        count: 1,
        aspectRatio: [16, 9],
        followsSource: true,
        durationSeconds: 6,
        sources: first_image_url === undefined ? [] : [first_image_url],
      }),
      respond: (results, {prompt, model, first_image_url}, progress) => ({
        data:
          results.length === 0 || progress < 100
            ? [{prompt, model, first_image_url, state: 'processing'}]
            : results.map((video) => ({
                id: video.id,
                video_url: video.url,
                prompt,
                model,
                first_image_url,
                ...sizeOf(video),
                ...lengthOf(video),
                state: 'succeeded',
              })),
      }),
    }),
  },
  settle: settled,
  faults: ({prompt, model, first_image_url}) =>
    faultsOf(
      model === 'minimax-i2v' ? noImage('first_image_url', first_image_url) : noPrompt(prompt),
      tooLong('prompt', prompt, hailuoPromptLimit),
    ),
  submit: ({first_image_url, ...values}) => ({
    operation: 'videos',
    body: withoutEmpty({...values, first_image_url: values.model === 'minimax-i2v' ? first_image_url : ''}),
  }),
  read: (response) => readVideos(response, (item) => ({previewUrl: textIn(item, 'first_image_url')})),
  price: [priceWhen({model: 'minimax-i2v'}, 3.2), priceElse(2.8)],
})
