import {z} from '../schema.ts'
import {itemsIn, readImages, textIn} from './media-answer.ts'
import {
  address,
  faultsOf,
  field,
  listField,
  missing,
  noImage,
  priceElse,
  priceWhen,
  settled,
  tooMany,
} from './media-rules.ts'
import {defineOperation, defineTool, type ToolExample, type ToolIdentity} from './media-tool.ts'

export const identity = {
  id: 'headshots',
  name: 'Headshots',
  group: 'image',
  service: 'headshots',
  serviceId: '3b2ec5fb-cfcb-49f0-9393-6b8617a2d8c4',
  order: 50,
  inputs: [{medium: 'image', field: 'image_urls', label: 'portraits', most: 2}],
} as const satisfies ToolIdentity

export const example = {
  path: '/headshots/generate',
  body: {template: 'business_photo', image_urls: ['https://example.com/portrait.jpg']},
  ownFile: 'https://example.com/portrait.jpg',
} as const satisfies ToolExample

/** Templates by the name in their results. */
const templateNames = {
  male_portrait: 'Male portrait',
  male_portrait2: 'Male portrait 2',
  kindergarten: 'Kindergarten',
  logo_tshirt: 'Logo T-shirt',
  wedding: 'Wedding',
  business_photo: 'Business photo',
  bob_suit: 'Bob and suit',
  female_portrait: 'Female portrait',
} as const
export const headshotTemplates = [
  'male_portrait',
  'male_portrait2',
  'kindergarten',
  'logo_tshirt',
  'wedding',
  'business_photo',
  'bob_suit',
  'female_portrait',
] as const satisfies (keyof typeof templateNames)[]
const headshotModes = ['fast', 'relax'] as const
export const headshotImages = 2

/** Contract/media §2.11. */
const form = z.object({
  template: field(z.enum([...headshotTemplates, '']), ''),
  mode: field(z.enum(headshotModes), 'fast'),
  image_urls: listField(),
})

export const tool = defineTool({
  identity,
  form,
  operations: {
    generate: defineOperation({
      path: '/headshots/generate',
      body: z.strictObject({
        template: z.enum(headshotTemplates),
        mode: z._default(z.enum(headshotModes), 'fast'),
        image_urls: z.array(address).check(z.minLength(1), z.maxLength(headshotImages)),
      }),
      plan: ({template, image_urls}) => ({
        medium: 'image',
        prompt: `A portrait of the person in these pictures, in the manner of "${templateNames[template]}".`,
        count: 2,
        aspectRatio: [3, 4],
        sources: image_urls,
      }),
      respond: (madeResults, {template}, progress) =>
        madeResults.length === 0 || progress < 100
          ? {status: 'unknown', data: []}
          : {
              status: 'completed',
              data: madeResults.map(({id, url}) => ({id, image_url: url, template: templateNames[template]})),
            },
    }),
  },
  settle: settled,
  faults: ({template, image_urls}) =>
    faultsOf(
      missing('template', template, 'templateNeeded'),
      noImage('image_urls', image_urls),
      tooMany('image_urls', image_urls, headshotImages),
    ),
  submit: (values) => ({operation: 'generate', body: {...values}}),
  read: (response) => {
    const result = readImages(response, (item) => ({title: textIn(item, 'template')}))
    const status = textIn(response, 'status')
    // the service's word for "not yet" (contract/media §2.11)
    const state = status === 'unknown' && itemsIn(response).length === 0 ? 'processing' : status
    return state === undefined || state === 'unknown' ? result : {...result, state}
  },
  price: [priceWhen({mode: 'relax'}, 3), priceElse(5)],
})
