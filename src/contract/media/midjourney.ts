import {brokenRule} from '../rule.ts'
import {z} from '../schema.ts'
import {readMidjourney} from './media-midjourney-answer.ts'
import {isSingle, nextActions, imageActionNames} from './media-image-actions.ts'
import {
  composePrompt,
  flagOf,
  partsOfPrompt,
  referencesOf,
  withoutReferences,
  withElements,
  wordsOf,
} from './media-prompt.ts'
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
  rangeField,
  ratioOf,
  resultId,
  settled,
  switchField,
  text,
  textField,
  tooLong,
  tooMany,
  wholeBetween,
  withoutEmpty,
} from './media-rules.ts'
import {defineOperation, defineTool, type ToolExample, type ToolIdentity} from './media-tool.ts'

export const identity = {
  id: 'midjourney',
  name: 'Midjourney',
  group: 'image',
  service: 'midjourney',
  serviceId: 'd87e5e99-b797-4ade-9e73-b896896b0461',
  order: 10,
  inputs: [
    {medium: 'image', field: 'references', label: 'reference', most: 5, set: {tab: 'imagine'}},
    {
      medium: 'image',
      field: 'image_url',
      label: 'common.mediaStartFrame',
      most: 1,
      set: {tab: 'videos', video_id: '', video_url: ''},
    },
    {
      medium: 'image',
      field: 'end_image_url',
      label: 'common.mediaEndFrame',
      most: 1,
      set: {tab: 'videos', video_id: '', video_url: ''},
    },
    {medium: 'image', field: 'image_url', label: 'pictureToDescribe', most: 1, set: {tab: 'describe'}},
    {medium: 'text', field: 'prompt', label: 'common.mediaPrompt', most: 1, set: {tab: 'imagine'}},
  ],
} as const satisfies ToolIdentity

export const example = {
  path: '/midjourney/imagine',
  body: {prompt: 'A lighthouse at dawn, oil painting'},
} as const satisfies ToolExample

export const midjourneyModes = ['fast', 'relax', 'turbo'] as const
export const midjourneyRatios = ['1:1', '4:3', '3:4', '16:9', '9:16'] as const
export const midjourneyVersions = ['7', '6.1', '6.0', '5.2', '5.1', '5.0', '4', '3', '2', '1'] as const
export const midjourneyQualities = ['.25', '.5', '1'] as const
export const midjourneyModels = ['', 'niji 5'] as const
const nijiStyles = ['cute', 'expressive', 'scenic', 'original'] as const
const generalStyles = ['raw'] as const
type Style = (typeof nijiStyles)[number] | (typeof generalStyles)[number]
export const midjourneyStylesOf = (model: string): readonly Style[] => (model === '' ? generalStyles : nijiStyles)
export const midjourneyResolutions = ['480p', '720p'] as const
export const midjourneyLimits = {prompt: 200, references: 5, videos: 4}
/** The prompt on the wire contains flags, style words and reference addresses. */
const composedLimit = 8000

/**
 * Contract/media §2.1. Three tabs of one tool: making images, making videos, describing an image. The values behind the
 * prompt's flags are fields of their own. `image_url` is the start of a video or the image to describe; `video_id`,
 * with its image to show, is the task whose video is extended, and `video_index` selects one of its four.
 */
const form = z.object({
  tab: field(z.enum(['imagine', 'videos', 'describe']), 'imagine'),
  mode: field(z.enum(midjourneyModes), 'fast'),
  prompt: textField(),
  references: listField(),
  model: field(z.enum(midjourneyModels), ''),
  ratio: field(z.enum(midjourneyRatios), '1:1'),
  quality: field(z.enum(midjourneyQualities), '1'),
  version: field(z.enum(midjourneyVersions), '6.1'),
  elements: listField(),
  stylize: rangeField(0, 100, 100),
  weird: rangeField(0, 1000, 0),
  chaos: rangeField(0, 100, 0),
  iw: rangeField(0, 2, 1),
  style: field(z.enum([...nijiStyles, ...generalStyles, '']), ''),
  ignore: textField(),
  image_url: textField(),
  end_image_url: textField(),
  video_id: textField(),
  video_url: textField(),
  video_index: rangeField(0, midjourneyLimits.videos - 1, 0),
  resolution: field(z.enum(midjourneyResolutions), '480p'),
  loop: switchField(false),
})

const imagineBody = z
  .strictObject({
    action: z._default(z.enum([...imageActionNames, 'variation_region']), 'generate'),
    prompt: z.optional(text(composedLimit)),
    image_id: z.optional(resultId),
    mode: z._default(z.enum(midjourneyModes), 'fast'),
    translation: z.optional(z.boolean()),
    timeout: z.optional(z.number().check(z.minimum(0))),
    split_images: z.optional(z.boolean()),
    mask: z.optional(text(4_000_000)),
  })
  .check(
    needs('image_id', ({action, image_id}) => action === 'generate' || image_id !== undefined),
    needs('prompt', ({action, prompt = '', image_id}) =>
      action === 'generate' && image_id === undefined ? prompt.trim() !== '' : true,
    ),
    z.refine(({prompt = ''}) => referencesOf(prompt).length <= midjourneyLimits.references, {
      path: ['prompt'],
      ...brokenRule('ruleReferences'),
    }),
    needs('mask', ({action, mask}) => action !== 'variation_region' || mask !== undefined),
  )

const videosBody = z
  .strictObject({
    action: z._default(anyOf(['generate', 'extend']), 'generate'),
    prompt: text(composedLimit),
    image_url: z.optional(address),
    end_image_url: z.optional(address),
    video_id: z.optional(resultId),
    video_index: z.optional(wholeBetween(0, midjourneyLimits.videos - 1)),
    resolution: z._default(z.enum(midjourneyResolutions), '480p'),
    loop: z._default(z.boolean(), false),
    mode: z._default(z.enum(midjourneyModes), 'fast'),
  })
  .check(
    needs('prompt', ({prompt}) => prompt.trim() !== ''),
    needs('video_id', ({action, video_id}) => action === 'generate' || video_id !== undefined),
  )

const seedOf = (prompt: string) => {
  const seed = Number(flagOf(prompt, 'seed'))
  return Number.isInteger(seed) && seed >= 0 ? seed : undefined
}

const modeFactors = {fast: 1, relax: 0.6, turbo: 2} as const

/** The form holds it as it is. */
const isOffered = (part: Record<string, unknown>) => {
  const knownPart = form.safeParse(part).data
  // as: the parts of a prompt are fields of the form
  return Object.entries(part).every(([key, value]) => knownPart?.[key as keyof typeof knownPart] === value)
}

export const tool = defineTool({
  identity,
  form,
  operations: {
    imagine: defineOperation({
      path: '/midjourney/imagine',
      taskType: 'imagine',
      body: imagineBody,
      plan: ({action, prompt = '', image_id}) => ({
        medium: 'image',
        prompt: withoutReferences(prompt),
        words: wordsOf(prompt),
        count: 1,
        aspectRatio: ratioOf(flagOf(prompt, 'aspect', 'ar'), [1, 1]),
        seed: seedOf(prompt),
        sources: referencesOf(prompt),
        ...(image_id === undefined ? {} : {sourceId: image_id, action}),
        tiles: isSingle(action) ? 1 : 4,
      }),
      respond: ([image], {action}, progress) =>
        image === undefined || progress < 100
          ? {progress, actions: [], ...(image === undefined ? {} : {image_id: image.id, image_url: image.url})}
          : {
              progress: 100,
              image_id: image.id,
              image_url: image.previewUrl ?? image.url,
              image_width: image.previewWidth ?? image.width,
              image_height: image.previewHeight ?? image.height,
              raw_image_url: image.url,
              raw_image_width: image.width,
              raw_image_height: image.height,
              actions: image.isFinal === true ? [] : nextActions(action),
            },
    }),
    videos: defineOperation({
      path: '/midjourney/videos',
      taskType: 'videos',
      body: videosBody,
      plan: ({action, prompt, image_url, end_image_url, video_id, video_index = 0, resolution}) => ({
        medium: 'video',
        prompt,
        words: wordsOf(prompt),
        count: midjourneyLimits.videos,
        aspectRatio: ratioOf(flagOf(prompt, 'aspect', 'ar'), [16, 9]),
        followsSource: flagOf(prompt, 'aspect', 'ar') === undefined,
        lines: Number.parseInt(resolution),
        durationSeconds: 5,
        sources: [image_url, end_image_url].filter((url) => url !== undefined),
        ...(action === 'extend' ? {action, sourceId: video_id, sourceIndex: video_index} : {}),
      }),
      respond: (results, {image_url}, progress) => {
        const [video] = results
        if (video === undefined || progress < 100) return {type: 'videos', progress}
        return {
          type: 'videos',
          progress: 100,
          image_url: video.previewUrl ?? image_url,
          image_width: video.width,
          image_height: video.height,
          video_id: video.id,
          video_urls: results.map(({url}) => url),
        }
      },
    }),
    describe: defineOperation({
      path: '/midjourney/describe',
      taskType: 'describe',
      body: z.strictObject({image_url: address}),
      plan: ({image_url}) => ({
        medium: 'text',
        prompt: '',
        count: 4,
        aspectRatio: [1, 1],
        sources: [image_url],
        action: 'describe',
      }),
      respond: (results, _body, progress) =>
        results.length === 0 || progress < 100
          ? {progress: Math.min(progress, 99)}
          : {descriptions: results.map(({text: words}) => words ?? '')},
    }),
  },
  settle: (values) => {
    // the index of a task's video is removed with the task
    const form = values.video_id === '' && values.video_index !== 0 ? {...values, video_index: 0} : values
    const isAllowed = form.style === '' || midjourneyStylesOf(form.model).includes(form.style)
    return isAllowed ? settled(form) : changed(form, {style: ''}, ['style'])
  },
  faults: (values) => {
    const {tab, prompt, references} = values
    if (tab === 'describe') return faultsOf(noImage('image_url', values.image_url))
    return faultsOf(
      tab === 'videos' || references.length === 0 ? noPrompt(prompt) : undefined,
      tab === 'imagine' ? tooMany('references', references, midjourneyLimits.references) : undefined,
      tooLong('prompt', prompt, midjourneyLimits.prompt),
    )
  },
  submit: (values) => {
    const {tab, mode, prompt, image_url, end_image_url, video_id, video_index, resolution, loop} = values
    if (tab === 'describe') return {operation: 'describe', body: {image_url}}
    if (tab === 'imagine')
      return {operation: 'imagine', body: {action: 'generate', prompt: composePrompt(values), mode}}
    // the first is sent without its index, as the specification's app does
    const video = video_index === 0 ? {} : {video_index}
    const from = video_id === '' ? {image_url, end_image_url} : {action: 'extend', video_id, ...video}
    return {operation: 'videos', body: withoutEmpty({...from, prompt, resolution, loop, mode})}
  },
  read: readMidjourney,
  reuse: (request, taskType) => {
    const prompt = typeof request.prompt === 'string' ? request.prompt : ''
    const isVideo = taskType === 'videos' || request.resolution !== undefined
    if (isVideo) return {...request, tab: 'videos'}
    if (taskType === 'describe' || (prompt === '' && typeof request.image_url === 'string'))
      return {...request, tab: 'describe'}
    // an action on an image has no prompt and does not say how the image was made
    const unsaid = prompt === '' ? {} : {model: '', ratio: '1:1', quality: '1'}
    const parts = withElements(partsOfPrompt(prompt, isOffered), midjourneyLimits.prompt)
    return {mode: request.mode, tab: 'imagine', ...unsaid, ...parts}
  },
  price: [
    // the three operations are recognized by keys that only they have
    ...midjourneyModes.flatMap((mode) => [
      priceWhen({resolution: '720p', mode}, 16 * modeFactors[mode]),
      priceWhen({resolution: '480p', mode}, 8 * modeFactors[mode]),
      priceWhen({action: ['upscale1', 'upscale2', 'upscale3', 'upscale4'], mode}, 0.5 * modeFactors[mode]),
      priceWhen({mode}, 4.95 * modeFactors[mode]),
    ]),
    priceElse(0.3),
  ],
})
