import {brokenRule} from '../rule.ts'
import {z} from '../schema.ts'
import {readVideos, sizeOf, textIn} from './media-answer.ts'
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
  switchField,
  text,
  textField,
  tooLong,
  tooMany,
  withoutEmpty,
} from './media-rules.ts'
import {defineOperation, defineTool, type ToolExample, type ToolIdentity} from './media-tool.ts'

export const identity = {
  id: 'pika',
  name: 'Pika',
  group: 'video',
  service: 'pika',
  serviceId: 'c7d407fa-0f87-4031-abbb-4f0716ff51ad',
  order: 20,
  inputs: [
    {medium: 'image', field: 'image_url', label: 'ingredient', most: 3, set: {ingredients: true}},
    {medium: 'text', field: 'prompt', label: 'common.mediaPrompt', most: 1},
  ],
} as const satisfies ToolIdentity

export const example = {path: '/pika/videos', body: {prompt: 'Waves roll onto a beach'}} as const satisfies ToolExample

export const pikaModels = ['2.0', '1.5'] as const
export const pikaIngredientModes = ['precise', 'creative'] as const
export const pikaEffects = [
  'Levitate',
  'Decapitate',
  'Eye-pop',
  'Ta-da',
  'Deflate',
  'Crumble',
  'Dissolve',
  'Squish',
  'Inflate',
  'Melt',
  'Cake-ify',
  'Crush',
  'Explode',
] as const
export const pikaLimits = {prompt: 300, images: 3}

/** Contract/media §2.4. Ingredients are the mode with several images; it exists in model 2.0 only. */
const form = z.object({
  prompt: textField(),
  model: field(z.enum(pikaModels), '2.0'),
  ingredients: switchField(false),
  ingredients_mode: field(z.enum(pikaIngredientModes), 'creative'),
  image_url: listField(),
  effect: field(z.enum([...pikaEffects, '']), ''),
})

const videoBody = z
  .strictObject({
    action: z.optional(anyOf(['generate'])),
    prompt: z._default(text(pikaLimits.prompt), ''),
    negative_prompt: z.optional(text(pikaLimits.prompt)),
    model: z._default(z.enum(pikaModels), '2.0'),
    ingredients: z._default(z.boolean(), false),
    ingredients_mode: z.optional(z.enum(pikaIngredientModes)),
    image_url: z._default(z.array(address).check(z.maxLength(pikaLimits.images)), []),
    effect: z.optional(z.enum([...pikaEffects, ''])),
  })
  .check(
    needs('image_url', ({ingredients, image_url}) => !ingredients || image_url.length > 0),
    needs('prompt', ({prompt, image_url}) => prompt.trim() !== '' || image_url.length > 0),
    z.refine(({ingredients, model}) => !ingredients || model === '2.0', {
      path: ['model'],
      ...brokenRule('ruleIngredients'),
    }),
  )

export const tool = defineTool({
  identity,
  taskType: 'videos',
  form,
  operations: {
    videos: defineOperation({
      path: '/pika/videos',
      taskType: 'videos',
      body: videoBody,
      plan: ({prompt, effect, image_url}) => ({
        medium: 'video',
        prompt: [prompt, effect].filter((part) => part !== undefined && part !== '').join(', '),
        count: 1,
        aspectRatio: [16, 9],
        followsSource: true,
        durationSeconds: 5,
        sources: image_url,
      }),
      respond: (results, _body, progress) => ({
        data:
          results.length === 0 || progress < 100
            ? [{state: 'processing'}]
            : results.map((video) => ({
                id: video.id,
                video_url: video.url,
                image_url: video.previewUrl,
                duration: video.durationSeconds,
                ...sizeOf(video),
                state: 'succeeded',
              })),
      }),
    }),
  },
  settle: (values) => {
    if (!values.ingredients) return changed(values, {ingredients_mode: 'creative', image_url: []})
    return values.model === '2.0' ? settled(values) : changed(values, {model: '2.0'}, ['model'])
  },
  faults: ({ingredients, image_url, prompt}) =>
    faultsOf(
      ingredients ? noImage('image_url', image_url) : noPrompt(prompt),
      tooMany('image_url', image_url, pikaLimits.images),
      tooLong('prompt', prompt, pikaLimits.prompt),
    ),
  submit: ({ingredients_mode, image_url, ...values}) => ({
    operation: 'videos',
    body: withoutEmpty({...values, ...(values.ingredients ? {ingredients_mode, image_url} : {})}),
  }),
  read: (response) => readVideos(response, (item) => ({previewUrl: textIn(item, 'image_url')})),
  price: [priceWhen({ingredients: true}, 3.2), priceWhen({model: '1.5'}, 1.6), priceElse(2.4)],
})
