import {describe, expect, test} from 'vitest'
import {messageId} from '#contract/media/media-screen.ts'
import {z} from '#contract/schema.ts'
import {costOf} from '#domain/price-rules.ts'
import {readLocale} from '#tools/locales.mjs'
import {all, toolNamed} from './all-tools.ts'

/* Screens name only what there is: messages, keys and values of the form, operations. */

const english = readLocale('en')

describe.each(all)('$id', ({id, tool, screen}) => {
  const defaults = z.parse(tool.form, {})
  // as: the schema of an object, whose shape its general type does not name
  const keys = Object.keys((tool.form as unknown as {def: {shape: object}}).def.shape)

  test('every text is a message', () => {
    const labels = [
      'line',
      ...tool.identity.inputs.map(({label}) => label),
      ...screen.examples.map(({label}) => label),
      ...screen.actions.flatMap(({label, group}) => [label, group]),
      ...(screen.works ?? []).map(({label}) => label),
      ...screen.fields.flatMap(({label, help, choices, groups}) => {
        const offered = typeof choices === 'function' ? choices(defaults) : (choices ?? [])
        return [label, help, ...offered.map((choice) => choice.label), ...(groups ?? []).map((group) => group.label)]
      }),
    ].filter((label) => label !== undefined)
    const faults = [
      defaults,
      {...defaults, prompt: 'x'.repeat(9000), content: 'x'.repeat(9000), mode: 'custom', tab: 'videos'},
    ]
    const said = [...labels, ...faults.flatMap((form) => tool.faults(form).map(({message}) => message))]
    expect(said.filter((label) => !(messageId(id, label) in english))).toEqual([])
  })

  test('every word of its namespace is used', () => {
    const forms = [defaults, {...defaults, model: 'niji 5'}]
    const screens = forms.map((form) => JSON.stringify(screen, spelledOut(form))).join(' ')
    const used = new Set(['line', ...screens.matchAll(/"([\w.]+)"/g)].map(String))
    const text = [...used, ...tool.identity.inputs.map(({label}) => label)].join(' ')
    const unused = Object.keys(english)
      .filter((key) => key.startsWith(`${id}.`))
      .map((key) => key.slice(id.length + 1))
      .filter(
        (key) =>
          !new RegExp(`\\b${key}\\b`).test(text) &&
          !['lyricNeeded', 'templateNeeded', 'contentNeeded', 'contentTooLong'].includes(key),
      )
    expect(unused).toEqual([])
  })

  test('every setting has a control; what has none is set by an action', () => {
    const shown = new Set(screen.fields.map(({key}) => key))
    const others: Record<string, string[]> = {
      kling: ['video_url'],
      veo: ['video_url'],
      midjourney: ['video_url', 'video_index'],
      luma: ['thumbnail_url'],
      suno: ['action', 'source_cover', 'source_seconds', 'source_style', 'source_title'],
    }
    expect(keys.filter((key) => !shown.has(key)).sort()).toEqual([...(others[id] ?? [])].sort())
    expect([...shown].filter((key) => !keys.includes(key))).toEqual([])
  })

  test('each choice is a value of the form', () => {
    for (const {key, choices, isClearable} of screen.fields) {
      const offered = typeof choices === 'function' ? choices(defaults) : (choices ?? [])
      const values = offered.map(({value}) => value)
      for (const value of [...values, ...(isClearable === true && values.length > 0 ? [''] : [])])
        expect(z.parse(tool.form, {[key]: value})).toMatchObject({[key]: value})
    }
  })

  test('examples are settings that hold', () => {
    expect(screen.examples).toHaveLength(3)
    for (const {set} of screen.examples) expect(z.parse(tool.form, set)).toMatchObject(set)
  })

  test('what other tools may hand over fits the form', () => {
    for (const {field, most, set = {}} of tool.identity.inputs) {
      const value = most > 1 ? ['https://files.test/a.png'] : 'https://files.test/a.png'
      const form = tool.settle(z.parse(tool.form, {[field]: value, ...set})).form
      expect(form).toMatchObject({[field]: value, ...set})
      const shown = screen.fields.some(({key, showIf}) => key === field && showIf?.(form) !== false)
      expect({field, shown}).toEqual({field, shown: true})
    }
  })

  test('every operation has a price, and every rule one that holds', () => {
    for (const {consumption} of tool.price) expect(consumption).toEqual(expect.any(Number))
    expect(costOf(tool.price, tool.submit(defaults).body)).toBeGreaterThan(0)
  })
})

/** Functions of a screen, as what they give for the form. */
const spelledOut = (form: unknown) => (key: string, value: unknown) =>
  key === 'choices' && typeof value === 'function' ? (value as (form: unknown) => unknown)(form) : value

type Subject = {artifact: object; index: number; reading: object; request: object}
const subject = (artifact: object, request: object = {}, index = 0): Subject => ({
  artifact,
  index,
  reading: {artifacts: []},
  request,
})
const image = {medium: 'image', url: 'https://files.test/a.png', id: 'i1'}
const video = {medium: 'video', url: 'https://files.test/a.mp4', id: 'v1', previewUrl: 'https://files.test/a.jpg'}
const song = {
  medium: 'audio',
  url: 'https://files.test/a.mp3',
  id: 'a1',
  title: 'Tide',
  style: 'folk',
  durationSeconds: 151.2,
  previewUrl: 'https://files.test/a.jpg',
  model: 'chirp-auk',
}

const actionOf = (id: string, name: string) => {
  const action = toolNamed(id).screen.actions.find((each) => each.id === name)
  if (action === undefined) throw new Error(`${id} has no action "${name}"`)
  return action
}

/** The request that the form then sends. */
const filled: [tool: string, action: string, subject: Subject, sent: object][] = [
  ['kling', 'extend', subject(video), {action: 'extend', video_id: 'v1', aspect_ratio: '1:1'}],
  [
    'kling',
    'extend',
    subject(video, {prompt: 'fog', aspect_ratio: '9:16'}),
    {action: 'extend', video_id: 'v1', prompt: 'fog', aspect_ratio: '9:16'},
  ],
  [
    'kling',
    'extend',
    subject(video, {model: 'kling-v2-master', mode: 'pro'}),
    {action: 'extend', video_id: 'v1', model: 'kling-v2-master', mode: 'pro'},
  ],
  ['luma', 'extend', subject(video, {prompt: 'fog'}), {action: 'extend', video_id: 'v1', prompt: 'fog'}],
  [
    'luma',
    'extend',
    subject(video, {prompt: 'fog', aspect_ratio: '16:9'}),
    {action: 'extend', video_id: 'v1', prompt: 'fog', aspect_ratio: '16:9'},
  ],
  ['veo', 'get1080p', subject(video), {action: 'get1080p', video_id: 'v1'}],
  ['midjourney', 'extend', subject(video), {action: 'extend', video_id: 'v1'}],
  ['midjourney', 'extend', subject(video, {}, 2), {action: 'extend', video_id: 'v1', video_index: 2}],
  ['midjourney', 'animate', subject(image), {image_url: image.url, resolution: '480p'}],
  [
    'midjourney',
    'usePrompt',
    subject({medium: 'text', text: 'a boat'}),
    {action: 'generate', prompt: 'a boat --version 6.1'},
  ],
  ['flux', 'edit', subject(image), {action: 'edits', image_url: image.url}],
  ['nanobanana', 'edit', subject(image), {action: 'edit', image_urls: [image.url]}],
  [
    'suno',
    'extend',
    subject(song),
    {
      action: 'extend',
      audio_id: 'a1',
      continue_at: 151,
      custom: true,
      style: 'folk',
      title: 'Tide',
      model: 'chirp-v4-5',
    },
  ],
  ['suno', 'extend', subject(song, {audio_url: song.url}), {action: 'upload_extend', audio_id: 'a1', custom: true}],
  ['suno', 'cover', subject(song), {action: 'cover', audio_id: 'a1', custom: true}],
]
test.each(filled)('%s %s fills the form', (id, name, from, sent) => {
  const {tool} = toolNamed(id)
  const {when, fill} = actionOf(id, name)
  expect(when?.(from)).not.toBe(false)
  const form = tool.settle(z.parse(tool.form, fill?.(from, z.parse(tool.form, {})))).form
  expect(tool.submit(form).body).toMatchObject(sent)
})

const direct: [tool: string, action: string, subject: Subject, operation: string, body: object][] = [
  [
    'midjourney',
    'upscale1',
    subject(image, {mode: 'relax'}),
    'imagine',
    {action: 'upscale1', image_id: 'i1', mode: 'relax'},
  ],
  ['midjourney', 'reroll', subject(image), 'imagine', {action: 'reroll', image_id: 'i1', mode: 'fast'}],
  ['midjourney', 'describe', subject(image), 'describe', {image_url: image.url}],
  ['suno', 'stems', subject(song), 'audios', {action: 'stems', audio_id: 'a1'}],
  ['suno', 'concat', subject(song, {action: 'extend'}), 'audios', {action: 'concat', audio_id: 'a1'}],
  // the model is not among what they send (contract/media §2.12)
  ['suno', 'stems', subject({...song, model: 'chirp-v5'}), 'audios', {action: 'stems', audio_id: 'a1'}],
  [
    'suno',
    'concat',
    subject({...song, model: 'chirp-v5'}, {action: 'extend'}),
    'audios',
    {action: 'concat', audio_id: 'a1'},
  ],
  ['suno', 'mp4', subject(song), 'mp4', {audio_id: 'a1'}],
]
test.each(direct)('%s %s is sent at once', (id, name, from, operation, body) => {
  const {tool} = toolNamed(id)
  const {when, send} = actionOf(id, name)
  expect(when?.(from)).not.toBe(false)
  const submission = send?.(from, z.parse(tool.form, {}))
  expect(submission).toEqual({operation, body})
  expect(z.safeParse(tool.operations[operation]?.body ?? z.never(), body).error).toBeUndefined()
  expect(costOf(tool.price, body as Record<string, unknown>)).toBeGreaterThan(0)
})

test('each of midjourney’s actions is sent as the server takes it', () => {
  const {tool, screen} = toolNamed('midjourney')
  const sent = screen.actions.flatMap(({send}) =>
    send === undefined ? [] : [send(subject(image), z.parse(tool.form, {}))],
  )
  expect(sent).toHaveLength(28)
  for (const {operation, body} of sent)
    expect(z.safeParse(tool.operations[operation]?.body ?? z.never(), body).success).toBe(true)
})

test('actions that do not fit their result are not offered', () => {
  expect(actionOf('suno', 'concat').when?.(subject(song))).toBe(false)
  expect(actionOf('suno', 'cover').when?.(subject(song, {audio_url: song.url}))).toBe(false)
  expect(actionOf('suno', 'mp4').when?.(subject({...song, videoUrl: 'https://files.test/a.mp4'}))).toBe(false)
  expect(actionOf('veo', 'get1080p').when?.(subject(video, {action: 'get1080p'}))).toBe(false)
  expect(actionOf('kling', 'extend').when?.(subject({medium: 'video', id: 'v1'}))).toBe(false)
  // the call knows four corners
  expect(actionOf('midjourney', 'extend').when?.(subject(video, {}, 4))).toBe(false)
})

test('choices and fields follow the other fields', () => {
  const fieldOf = (id: string, key: string) => toolNamed(id).screen.fields.find((field) => field.key === key)
  const values = (id: string, key: string, form: object) => {
    const choices = fieldOf(id, key)?.choices
    return typeof choices === 'function'
      ? choices({...z.parse(toolNamed(id).tool.form, {}), ...form}).map(({value}) => value)
      : []
  }
  const shown = (id: string, form: object) => {
    const full = {...z.parse(toolNamed(id).tool.form, {}), ...form}
    return toolNamed(id)
      .screen.fields.filter(({showIf}) => showIf?.(full) !== false)
      .map(({key}) => key)
  }
  expect(values('sora', 'duration', {model: 'sora-2-pro'})).toEqual([10, 15, 25])
  expect(values('pika', 'model', {ingredients: true})).toEqual(['2.0'])
  expect(values('midjourney', 'style', {model: 'niji 5'})).toEqual(['cute', 'expressive', 'scenic', 'original'])
  expect(values('veo', 'action', {video_id: 'v'})).toEqual(['text2video', 'image2video', 'get1080p'])
  expect(shown('veo', {})).toEqual(['action', 'prompt', 'model', 'translation'])
  expect(shown('veo', {action: 'image2video'})).toEqual([
    'action',
    'prompt',
    'image_urls',
    'model',
    'aspect_ratio',
    'translation',
  ])
  expect(shown('veo', {action: 'get1080p', video_id: 'v'})).toEqual(['action', 'video_id'])
  expect(shown('luma', {custom: true})).not.toContain('start_image_url')
  expect(shown('luma', {video_id: 'v'})).not.toContain('custom')
  expect(shown('suno', {})).toEqual(['mode', 'model', 'prompt', 'instrumental', 'reference_url'])
  expect(shown('suno', {mode: 'custom', instrumental: true})).not.toContain('lyric')
  expect(shown('suno', {mode: 'custom', audio_id: 'a', action: 'extend'})).toContain('continue_at')
  expect(shown('midjourney', {tab: 'describe'})).toEqual(['tab', 'image_url'])
  expect(shown('hailuo', {})).not.toContain('first_image_url')
  expect(shown('nanobanana', {action: 'edit'})).not.toContain('aspect_ratio')
})
