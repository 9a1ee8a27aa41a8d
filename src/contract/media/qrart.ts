import {brokenRule} from '../rule.ts'
import {z} from '../schema.ts'
import {artifact, numberIn, reading, textIn} from './media-answer.ts'
import {
  address,
  anyOf,
  between,
  faultsOf,
  field,
  missing,
  needs,
  noImage,
  openField,
  priceElse,
  rangeField,
  ratioOf,
  settled,
  text,
  textField,
  tooLong,
  wholeBetween,
  withoutEmpty,
} from './media-rules.ts'
import {codeContent, codeRoom, isTooMuch, qrOptions} from './media-codes.ts'
import {defineOperation, defineTool, type ToolExample, type ToolIdentity} from './media-tool.ts'

export const identity = {
  id: 'qrart',
  name: 'QR Art',
  group: 'image',
  service: 'qrart',
  serviceId: '38ecf158-36f2-42f2-8e7f-6786cdfc2452',
  order: 40,
  inputs: [
    {medium: 'image', field: 'content_image_url', label: 'codePicture', most: 1, set: {source: 'picture'}},
    {medium: 'text', field: 'prompt', label: 'common.mediaPrompt', most: 1},
  ],
} as const satisfies ToolIdentity

export const example = {
  path: '/qrart/generate',
  body: {content: 'https://example.com', prompt: 'A garden in spring'},
} as const satisfies ToolExample

export const qrPromptLimit = 1000
const {
  presets,
  types,
  ratios,
  positions,
  pixelStyles,
  markerShapes,
  subMarkers,
  rotations,
  corrections,
  paddings,
  noises,
} = qrOptions

/**
 * Contract/media §2.2. `source` says whether the content is typed or read from an image of a code; on the wire they
 * exclude each other. Defaults are not sent, except for the two values that the controls always show.
 */
const form = z.object({
  source: field(z.enum(['typed', 'picture']), 'typed'),
  type: field(z.enum(types), 'text'),
  content: textField(),
  content_image_url: textField(),
  prompt: textField(),
  aspect_ratio: field(z.enum(ratios), '1:1'),
  preset: field(z.enum([...presets, '']), ''),
  qrw: rangeField(1.5, 3, 2),
  steps: rangeField(10, 20, 20),
  position: field(z.enum(positions), 'center'),
  pixel_style: field(z.enum(pixelStyles), 'square'),
  marker_shape: field(z.enum(markerShapes), 'square'),
  sub_marker: field(z.enum(subMarkers), 'square'),
  rotate: field(z.literal(rotations), 0),
  ecl: field(z.enum(corrections), 'H'),
  seed: openField(wholeBetween(1, Number.MAX_SAFE_INTEGER)),
  padding_level: field(z.literal(paddings), 5),
  padding_noise: field(z.literal(noises), 0),
})

type CodeBody = {content?: string | undefined; type: (typeof types)[number]; ecl: (typeof corrections)[number]}

const codeBody = z
  .strictObject({
    type: z._default(z.enum(types), 'text'),
    // the error correction limits its length
    content: z.optional(z.string()),
    content_image_url: z.optional(address),
    prompt: z._default(text(qrPromptLimit), ''),
    aspect_ratio: z._default(z.enum(ratios), '1:1'),
    preset: z.optional(z.enum([...presets, ''])),
    qrw: z._default(between(1.5, 3), 2),
    steps: z._default(wholeBetween(10, 20), 20),
    position: z._default(z.enum(positions), 'center'),
    pixel_style: z._default(z.enum(pixelStyles), 'square'),
    marker_shape: z._default(z.enum(markerShapes), 'square'),
    sub_marker: z._default(z.enum(subMarkers), 'square'),
    rotate: z._default(anyOf(rotations), 0),
    ecl: z._default(z.enum(corrections), 'H'),
    seed: z.optional(wholeBetween(1, Number.MAX_SAFE_INTEGER)),
    padding_level: z._default(anyOf(paddings), 5),
    padding_noise: z._default(anyOf(noises), 0),
    rawurl: z.optional(z.boolean()),
    pattern: z.optional(text(200)),
  })
  .check(
    needs('content', ({content = '', content_image_url}) => content.trim() !== '' || content_image_url !== undefined),
    z.refine(({content = '', content_image_url}) => content.trim() === '' || content_image_url === undefined, {
      path: ['content_image_url'],
      ...brokenRule('ruleCodeSource'),
    }),
    ...corrections.map((correction) =>
      z.refine<CodeBody>(
        ({content = '', type, ecl}) => ecl !== correction || !isTooMuch(codeContent(type, content), ecl),
        {
          path: ['content'],
          ...brokenRule('ruleCodeRoom', {correction, most: codeRoom[correction]}),
        },
      ),
    ),
  )

const unsentDefaults = z.parse(form, {})
/** The looks of the code that differ from their defaults. */
const chosen = <Values extends Partial<typeof unsentDefaults>>(values: Values) =>
  Object.fromEntries(
    // as: entries forget that the keys are those of the form
    Object.entries(values).filter(([key, value]) => value !== unsentDefaults[key as keyof typeof unsentDefaults]),
  )

export const tool = defineTool({
  identity,
  form,
  operations: {
    generate: defineOperation({
      path: '/qrart/generate',
      body: codeBody,
      plan: ({type, content = '', content_image_url, prompt, preset, aspect_ratio, seed, ecl, qrw, ...look}) => ({
        medium: 'image',
        prompt: [prompt, preset].filter((part) => part !== undefined && part !== '').join(', '),
        count: 1,
        aspectRatio: ratioOf(aspect_ratio, [1, 1]),
        ...(seed === undefined ? {} : {seed}),
        sources: content_image_url === undefined ? [] : [content_image_url],
        code: {
          content: content_image_url === undefined ? codeContent(type, content) : '',
          correction: ecl,
          strength: qrw,
          look: {
            steps: look.steps,
            position: look.position,
            pixelStyle: look.pixel_style,
            markerShape: look.marker_shape,
            subMarker: look.sub_marker,
            rotate: look.rotate,
            paddingLevel: look.padding_level,
            paddingNoise: look.padding_noise,
          },
        },
      }),
      respond: ([image], {seed}, progress) =>
        image === undefined || progress < 100
          ? {}
          : {
              image_url: image.url,
              image_width: image.width,
              image_height: image.height,
              seed: seed ?? image.seed,
            },
    }),
  },
  settle: settled,
  faults: ({source, type, content, content_image_url, prompt, ecl}) => {
    const most = codeRoom[ecl]
    const isOver = source === 'typed' && isTooMuch(codeContent(type, content), ecl)
    return faultsOf(
      source === 'typed'
        ? missing('content', content, 'contentNeeded')
        : noImage('content_image_url', content_image_url),
      isOver ? {field: 'content', message: 'contentTooLong', values: {most}} : undefined,
      tooLong('prompt', prompt, qrPromptLimit),
    )
  },
  submit: ({source, type, content, content_image_url, prompt, aspect_ratio, preset, qrw, steps, seed, ...looks}) => ({
    operation: 'generate',
    body: withoutEmpty({
      type,
      ...(source === 'typed' ? {content} : {content_image_url}),
      prompt,
      aspect_ratio,
      preset,
      qrw,
      steps,
      seed,
      ...chosen(looks),
    }),
  }),
  read: (response) => {
    const url = textIn(response, 'image_url')
    const image = artifact({
      medium: 'image',
      url,
      width: numberIn(response, 'image_width'),
      height: numberIn(response, 'image_height'),
      seed: numberIn(response, 'seed'),
    })
    return reading(url === undefined ? [] : [image], {
      state: textIn(response, 'state'),
      progress: numberIn(response, 'progress'),
    })
  },
  reuse: (request) => ({...request, source: typeof request.content_image_url === 'string' ? 'picture' : 'typed'}),
  price: [priceElse(1)],
})
