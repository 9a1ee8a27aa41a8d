import {z} from '../schema.ts'
import {readImages, sizeOf} from './media-answer.ts'
import {
  address,
  anyOf,
  faultsOf,
  field,
  listField,
  needs,
  noImage,
  noPrompt,
  priceElse,
  priceWhen,
  ratioOf,
  settled,
  text,
  textField,
  tooLong,
  tooMany,
} from './media-rules.ts'
import {defineOperation, defineTool, type ToolExample, type ToolIdentity} from './media-tool.ts'

export const identity = {
  id: 'nanobanana',
  name: 'Nano Banana',
  group: 'image',
  service: 'nano-banana',
  serviceId: '44fa6ed2-1ad1-4c7e-a8bd-30002728c0d1',
  order: 30,
  inputs: [
    {medium: 'image', field: 'image_urls', label: 'common.mediaImages', most: 5, set: {action: 'edit'}},
    {medium: 'text', field: 'prompt', label: 'common.mediaPrompt', most: 1},
  ],
} as const satisfies ToolIdentity

export const example = {
  path: '/nano-banana/images',
  body: {prompt: 'A lighthouse at dawn'},
} as const satisfies ToolExample

export const nanobananaRatios = ['1:1', '3:2', '2:3', '16:9', '9:16', '4:3', '3:4'] as const
export const nanobananaLimits = {prompt: 300, images: 5}

/** Contract/media §2.13. */
const form = z.object({
  action: field(z.enum(['generate', 'edit']), 'generate'),
  prompt: textField(),
  aspect_ratio: field(z.enum(nanobananaRatios), '1:1'),
  image_urls: listField(),
})

const imageBody = z
  .strictObject({
    action: z._default(anyOf(['generate', 'edit']), 'generate'),
    prompt: text(nanobananaLimits.prompt),
    aspect_ratio: z._default(z.enum(nanobananaRatios), '1:1'),
    image_urls: z._default(z.array(address).check(z.maxLength(nanobananaLimits.images)), []),
  })
  .check(
    needs('prompt', ({prompt}) => prompt.trim() !== ''),
    needs('image_urls', ({action, image_urls}) => action === 'generate' || image_urls.length > 0),
  )

export const tool = defineTool({
  identity,
  taskType: 'images',
  form,
  operations: {
    images: defineOperation({
      path: '/nano-banana/images',
      taskType: 'images',
      body: imageBody,
      plan: ({action, prompt, aspect_ratio, image_urls}) => ({
        medium: 'image',
        prompt,
        count: 1,
        aspectRatio: ratioOf(aspect_ratio, [1, 1]),
        // an edit also sends the ratio, although the form does not ask for it (contract/media §2.13)
        followsSource: action === 'edit' && aspect_ratio === '1:1',
        sources: action === 'edit' ? image_urls : [],
      }),
      respond: (results, {prompt}, progress) => ({
        data: (progress < 100 ? [] : results).map((image) => ({prompt, image_url: image.url, ...sizeOf(image)})),
      }),
    }),
  },
  settle: settled,
  faults: ({action, prompt, image_urls}) =>
    faultsOf(
      ...(action === 'edit'
        ? [noImage('image_urls', image_urls), tooMany('image_urls', image_urls, nanobananaLimits.images)]
        : []),
      noPrompt(prompt),
      tooLong('prompt', prompt, nanobananaLimits.prompt),
    ),
  submit: ({image_urls, ...values}) => ({
    operation: 'images',
    body: {...values, ...(values.action === 'edit' ? {image_urls} : {})},
  }),
  read: (response) => readImages(response),
  price: [priceWhen({action: 'edit'}, 0.6), priceElse(0.5)],
})
