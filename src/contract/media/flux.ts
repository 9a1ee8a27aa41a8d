import {z} from '../schema.ts'
import {numberIn, readImages, sizeOf, textIn} from './media-answer.ts'
import {
  address,
  anyOf,
  faultsOf,
  field,
  needs,
  noImage,
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
  id: 'flux',
  name: 'Flux',
  group: 'image',
  service: 'flux',
  serviceId: 'e8ebe055-429a-48e9-9d34-5089eae5fd89',
  order: 20,
  inputs: [
    {medium: 'image', field: 'image_url', label: 'imageToEdit', most: 1, set: {action: 'edits'}},
    {medium: 'text', field: 'prompt', label: 'common.mediaPrompt', most: 1},
  ],
} as const satisfies ToolIdentity

export const example = {path: '/flux/images', body: {prompt: 'A lighthouse at dawn'}} as const satisfies ToolExample

const fluxModels = [
  'flux-dev',
  'flux-pro',
  'flux-pro-1.1',
  'flux-pro-1.1-ultra',
  'flux-kontext-pro',
  'flux-kontext-max',
] as const
export const fluxRatios = ['1:1', '2:3', '3:2', '4:3', '3:4', '16:9', '9:16'] as const
export const fluxCounts = [1, 2, 3, 4] as const
export const fluxPromptLimit = 300

/** Contract/media §2.9. The app sends `edits`, the API's documentation says `edit` (§4.23): our server accepts both. */
const form = z.object({
  action: field(z.enum(['generate', 'edits']), 'generate'),
  prompt: textField(),
  image_url: textField(),
  model: field(z.enum(fluxModels), 'flux-dev'),
  count: field(z.literal(fluxCounts), 1),
  aspect_ratio: field(z.enum([...fluxRatios, '']), ''),
  quality: openField(wholeBetween(1, 100)),
})

const imageBody = z
  .strictObject({
    action: z._default(anyOf(['generate', 'edits', 'edit']), 'generate'),
    prompt: text(fluxPromptLimit),
    image_url: z.optional(address),
    model: z._default(z.enum(fluxModels), 'flux-dev'),
    count: z._default(anyOf(fluxCounts), 1),
    aspect_ratio: z.optional(z.enum(fluxRatios)),
    quality: z.optional(wholeBetween(1, 100)),
    size: z.optional(z.string().check(z.regex(/^\d{1,4}[x:]\d{1,4}$/))),
  })
  .check(
    needs('prompt', ({prompt}) => prompt.trim() !== ''),
    needs('image_url', ({action, image_url}) => action === 'generate' || image_url !== undefined),
  )

const unitPrice: Record<(typeof fluxModels)[number], number> = {
  'flux-dev': 0.2,
  'flux-pro': 0.35,
  'flux-pro-1.1': 0.28,
  'flux-pro-1.1-ultra': 0.42,
  'flux-kontext-pro': 0.28,
  'flux-kontext-max': 0.56,
}

export const tool = defineTool({
  identity,
  taskType: 'images',
  form,
  operations: {
    images: defineOperation({
      path: '/flux/images',
      taskType: 'images',
      body: imageBody,
      plan: (body) => ({
        medium: 'image',
        prompt: body.prompt,
        count: body.count,
        aspectRatio: ratioOf(body.aspect_ratio ?? body.size, [1, 1]),
        followsSource: (body.aspect_ratio ?? body.size) === undefined,
        pixels: body.aspect_ratio === undefined ? pixelsOf(body.size) : undefined,
        quality: body.quality,
        sources: body.action === 'generate' || body.image_url === undefined ? [] : [body.image_url],
      }),
      respond: (results, body, progress) => ({
        data: (progress < 100 ? [] : results).map((image) => ({
          prompt: body.prompt,
          image_url: image.url,
          ...(image.seed === undefined ? {} : {seed: image.seed}),
          ...sizeOf(image),
        })),
      }),
    }),
  },
  settle: settled,
  faults: (values) =>
    faultsOf(
      values.action === 'edits' ? noImage('image_url', values.image_url) : undefined,
      noPrompt(values.prompt),
      tooLong('prompt', values.prompt, fluxPromptLimit),
    ),
  submit: ({image_url, ...values}) => ({
    operation: 'images',
    body: {...withoutEmpty({...values, image_url: values.action === 'edits' ? image_url : ''}), prompt: values.prompt},
  }),
  read: (response, request) =>
    readImages(response, (item) => ({seed: numberIn(item, 'seed'), model: textIn(request, 'model')})),
  reuse: (request) => ({...request, action: request.action === 'edit' ? 'edits' : request.action}),
  price: [
    ...fluxModels.flatMap((model) => [
      ...fluxCounts.map((count) => priceWhen({model, count}, unitPrice[model] * count)),
      priceWhen({model}, unitPrice[model]),
    ]),
    priceElse(0.2),
  ],
})

/** `512x1024` means pixels, within the service's limits; any other value is a ratio. */
function pixelsOf(size = ''): readonly [number, number] | undefined {
  const [width = 0, height = 0] = size.split('x').map(Number)
  return [width, height].every((side) => side >= 256 && side <= 1440) ? [width, height] : undefined
}
