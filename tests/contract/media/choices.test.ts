import {expect, test} from 'vitest'
import {largestFile} from '#contract/files.ts'
import {z} from '#contract/schema.ts'
import {all, toolNamed} from './all-tools.ts'

/* Values, ranges and lengths that the controls of the tools offer (contract/media §2, spec §5). */

/** Every value of a choice, in the order it is shown. */
const choices: [tool: string, key: string, values: unknown[]][] = [
  ['midjourney', 'model', ['', 'niji 5']],
  ['midjourney', 'ratio', ['1:1', '4:3', '3:4', '16:9', '9:16']],
  ['midjourney', 'quality', ['.25', '.5', '1']],
  ['midjourney', 'version', ['7', '6.1', '6.0', '5.2', '5.1', '5.0', '4', '3', '2', '1']],
  ['midjourney', 'resolution', ['480p', '720p']],
  ['midjourney', 'mode', ['relax', 'fast', 'turbo']],
  ['midjourney', 'style', ['raw']],
  ['qrart', 'type', ['text', 'link', 'email', 'phone', 'sms']],
  ['qrart', 'aspect_ratio', ['1:1', '4:3', '3:4', '16:9', '9:16']],
  [
    'qrart',
    'position',
    ['center', 'top', 'right', 'bottom', 'left', 'top-left', 'top-right', 'bottom-left', 'bottom-right'],
  ],
  ['qrart', 'pixel_style', ['square', 'rounded', 'dot', 'squircle', 'row', 'column']],
  ['qrart', 'marker_shape', ['square', 'circle', 'plus', 'box', 'octagon', 'tiny-plus', 'random']],
  ['qrart', 'sub_marker', ['square', 'circle', 'plus', 'box', 'random']],
  ['qrart', 'rotate', [0, 90, 180, 270]],
  ['qrart', 'ecl', ['L', 'M', 'Q', 'H']],
  ['qrart', 'padding_level', [0, 5, 10, 15, 20]],
  ['qrart', 'padding_noise', [0, 0.25, 0.5, 0.75, 1]],
  [
    'qrart',
    'preset',
    [
      'sunset',
      'floral',
      'snowflakes',
      'feathers',
      'raindrops',
      'ultra-realism',
      'epic-realms',
      'intricate-studio',
      'symmetric-masterpiece',
      'luminous-highway',
      'celestial-journey',
      'neon-mech',
      'ethereal-low-poly',
      'golden-vista',
      'cinematic-expanse',
      'cinematic-warm',
      'desolate-wilderness',
      'vibrant-palette',
      'enigmatic-journey',
      'timeless-cinematic',
      'regal-galaxy',
      'illustrious-canvas',
      'expressive-mural',
      'serene-haze',
    ],
  ],
  ['luma', 'aspect_ratio', ['1:1', '4:3', '3:4', '16:9', '9:16', '21:9', '9:21']],
  ['pika', 'model', ['2.0', '1.5']],
  ['pika', 'ingredients_mode', ['precise', 'creative']],
  [
    'pika',
    'effect',
    [
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
    ],
  ],
  ['kling', 'model', ['kling-v1', 'kling-v1-5', 'kling-v1-6', 'kling-v2-master', 'kling-v2-1', 'kling-v2-1-master']],
  ['kling', 'aspect_ratio', ['1:1', '16:9', '9:16']],
  ['kling', 'duration', [5, 10]],
  ['kling', 'mode', ['std', 'pro']],
  ['veo', 'action', ['text2video', 'image2video']],
  ['veo', 'model', ['veo2', 'veo2-fast', 'veo3', 'veo3-fast']],
  ['veo', 'aspect_ratio', ['1:1', '4:3', '3:4', '16:9', '9:16']],
  ['sora', 'model', ['sora-2', 'sora-2-pro']],
  ['sora', 'action', ['text2video', 'image2video']],
  ['sora', 'duration', [10, 15]],
  ['sora', 'size', ['small', 'large']],
  ['sora', 'orientation', ['landscape', 'portrait']],
  ['pixverse', 'model', ['v3.5', 'v4', 'v4.5']],
  ['pixverse', 'style', ['cyberpunk', 'anime', 'comic', 'clay', '3d_animation', 'realistic']],
  ['pixverse', 'aspect_ratio', ['1:1', '4:3', '3:4', '16:9', '9:16']],
  ['pixverse', 'motion', ['normal', 'fast']],
  ['pixverse', 'quality', ['360p', '540p', '720p', '1080p']],
  ['pixverse', 'duration', [5, 8]],
  ['flux', 'action', ['generate', 'edits']],
  [
    'flux',
    'model',
    ['flux-dev', 'flux-pro', 'flux-pro-1.1', 'flux-pro-1.1-ultra', 'flux-kontext-pro', 'flux-kontext-max'],
  ],
  ['flux', 'count', [1, 2, 3, 4]],
  ['flux', 'aspect_ratio', ['1:1', '2:3', '3:2', '4:3', '3:4', '16:9', '9:16']],
  ['hailuo', 'model', ['minimax-t2v', 'minimax-i2v']],
  [
    'headshots',
    'template',
    [
      'male_portrait',
      'male_portrait2',
      'kindergarten',
      'logo_tshirt',
      'wedding',
      'business_photo',
      'bob_suit',
      'female_portrait',
    ],
  ],
  ['headshots', 'mode', ['fast', 'relax']],
  [
    'suno',
    'model',
    ['chirp-v2-xxl-alpha', 'chirp-v3-0', 'chirp-v3-5', 'chirp-v4', 'chirp-v4-5', 'chirp-v4-5-plus', 'chirp-v5'],
  ],
  ['suno', 'mode', ['simple', 'custom']],
  ['nanobanana', 'action', ['generate', 'edit']],
  ['nanobanana', 'aspect_ratio', ['1:1', '3:2', '2:3', '16:9', '9:16', '4:3', '3:4']],
]

test.each(choices)('%s %s', (id, key, values) => {
  const {tool, screen} = toolNamed(id)
  const field = screen.fields.find((each) => each.key === key)
  const shown = typeof field?.choices === 'function' ? field.choices(z.parse(tool.form, {})) : field?.choices
  expect(shown?.map(({value}) => value)).toEqual(values)
})

test('no choice is left out of the table', () => {
  const listed = new Set(choices.map(([id, key]) => `${id} ${key}`))
  const other = new Set(['midjourney tab', 'qrart source'])
  const found = all.flatMap(({id, screen}) =>
    screen.fields.flatMap(({key, choices: offered}) => (offered === undefined ? [] : [`${id} ${key}`])),
  )
  expect(found.filter((name) => !listed.has(name) && !other.has(name))).toEqual([])
})

/** Longest texts, ranges of numbers, and how many files a control takes. */
const limits: [tool: string, key: string, limit: {least?: number; most: number; step?: number}][] = [
  ['midjourney', 'prompt', {most: 200}],
  ['midjourney', 'references', {most: 5}],
  ['midjourney', 'stylize', {least: 0, most: 100, step: 1}],
  ['midjourney', 'weird', {least: 0, most: 1000, step: 1}],
  ['midjourney', 'chaos', {least: 0, most: 100, step: 1}],
  ['midjourney', 'iw', {least: 0, most: 2, step: 0.1}],
  ['qrart', 'content_image_url', {most: 1}],
  ['qrart', 'qrw', {least: 1.5, most: 3, step: 0.1}],
  ['qrart', 'steps', {least: 10, most: 20, step: 1}],
  ['qrart', 'seed', {least: 1, most: 9007199254740991}],
  ['luma', 'prompt', {most: 2000}],
  ['luma', 'video_url', {most: 1}],
  ['pika', 'prompt', {most: 300}],
  ['pika', 'image_url', {most: 3}],
  ['kling', 'prompt', {most: 500}],
  ['kling', 'negative_prompt', {most: 200}],
  ['kling', 'cfg_scale', {least: 0, most: 1, step: 0.1}],
  ['veo', 'prompt', {most: 500}],
  ['veo', 'image_urls', {most: 2}],
  ['sora', 'prompt', {most: 500}],
  ['sora', 'image_urls', {most: 2}],
  ['pixverse', 'prompt', {most: 500}],
  ['pixverse', 'seed', {least: 0, most: 1000}],
  ['flux', 'prompt', {most: 300}],
  ['flux', 'quality', {least: 1, most: 100, step: 1}],
  ['hailuo', 'prompt', {most: 300}],
  ['hailuo', 'first_image_url', {most: 1}],
  ['headshots', 'image_urls', {most: 2}],
  ['suno', 'prompt', {most: 200}],
  ['suno', 'lyric', {most: 3000}],
  ['suno', 'style', {most: 200}],
  ['suno', 'title', {most: 80}],
  ['suno', 'reference_url', {most: 1}],
  ['nanobanana', 'prompt', {most: 300}],
  ['nanobanana', 'image_urls', {most: 5}],
]
test.each(limits)('%s %s %o', (id, key, limit) => {
  expect(toolNamed(id).screen.fields.find((field) => field.key === key)).toMatchObject(limit)
})

test('images are of the types of the contract; a video to extend is an MP4 under 10 MB, a song an MP3', () => {
  const types = ['image/png', 'image/jpeg', 'image/gif', 'image/bmp', 'image/webp']
  const files = all.flatMap(({id, screen}) =>
    screen.fields.filter(({kind}) => kind === 'files').map((field) => ({id, ...field})),
  )
  const others = files.filter((field) => JSON.stringify(field.types) !== JSON.stringify(types))
  expect(others.map(({id, types: accepted, maxBytes}) => ({id, accepted, maxBytes}))).toEqual([
    {id: 'luma', accepted: ['video/mp4'], maxBytes: 10_000_000},
    {id: 'suno', accepted: ['audio/mpeg', 'audio/mp3'], maxBytes: largestFile},
  ])
})
