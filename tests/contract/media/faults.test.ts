import {describe, expect, test} from 'vitest'
import {z} from '#contract/schema.ts'
import {toolNamed} from './all-tools.ts'

/* Faults keep a form from being sent, a change drops fields, and the server refuses requests (contract/media §2). */

type Form = Record<string, unknown>
const formOf = (id: string, values: Form) => {
  const {tool} = toolNamed(id)
  return tool.settle(z.parse(tool.form, values)).form
}
const image = 'https://files.test/a.png'
const images = (count: number) => Array.from({length: count}, (_, index) => `https://files.test/${index}.png`)

const long = (length: number) => 'x'.repeat(length)
const refused: [tool: string, values: Form, fields: string[]][] = [
  ['kling', {}, ['prompt']],
  ['kling', {prompt: long(501), negative_prompt: long(201)}, ['prompt', 'negative_prompt']],
  ['kling', {start_image_url: image}, []],
  ['luma', {}, ['prompt']],
  ['luma', {custom: true}, ['video_url']],
  ['luma', {prompt: long(2001)}, ['prompt']],
  ['pika', {ingredients: true}, ['image_url']],
  ['pika', {prompt: long(301)}, ['prompt']],
  ['veo', {}, ['prompt']],
  ['veo', {action: 'image2video'}, ['image_urls']],
  ['veo', {prompt: long(501)}, ['prompt']],
  ['sora', {action: 'image2video'}, ['image_urls', 'prompt']],
  ['pixverse', {prompt: long(501)}, ['prompt']],
  ['pixverse', {image_url: image}, []],
  ['flux', {action: 'edits'}, ['image_url', 'prompt']],
  ['flux', {prompt: long(301)}, ['prompt']],
  ['hailuo', {model: 'minimax-i2v'}, ['first_image_url']],
  ['headshots', {}, ['template', 'image_urls']],
  ['nanobanana', {action: 'edit'}, ['image_urls', 'prompt']],
  ['suno', {prompt: long(201)}, ['prompt']],
  ['suno', {mode: 'custom'}, ['lyric']],
  ['suno', {mode: 'custom', instrumental: true}, []],
  ['suno', {mode: 'custom', lyric: long(3001), style: long(201), title: long(81)}, ['lyric', 'style', 'title']],
  ['qrart', {}, ['content']],
  ['qrart', {source: 'picture'}, ['content_image_url']],
  ['qrart', {content: long(1273)}, []],
  ['qrart', {content: long(1274)}, ['content']],
  ['qrart', {content: long(1274), ecl: 'L'}, []],
  ['qrart', {content: 'ж'.repeat(637)}, ['content']],
  ['midjourney', {}, ['prompt']],
  ['midjourney', {references: [image]}, []],
  ['midjourney', {prompt: long(201)}, ['prompt']],
  ['midjourney', {tab: 'videos'}, ['prompt']],
  ['midjourney', {tab: 'videos', prompt: 'foo'}, []],
  ['midjourney', {tab: 'describe'}, ['image_url']],
  // lists that came with old settings may be over their limit; of a list that does not go out nobody is told
  ['midjourney', {references: images(6)}, ['references']],
  ['midjourney', {references: images(6), tab: 'videos', prompt: 'foo', image_url: image}, []],
  ['nanobanana', {action: 'edit', prompt: 'foo', image_urls: images(6)}, ['image_urls']],
  ['nanobanana', {prompt: 'foo', image_urls: images(6)}, []],
  ['sora', {action: 'image2video', prompt: 'foo', image_urls: images(3)}, ['image_urls']],
  ['sora', {prompt: 'foo', image_urls: images(3)}, []],
  ['veo', {action: 'image2video', image_urls: images(3)}, ['image_urls']],
  ['veo', {prompt: 'foo', image_urls: images(3)}, []],
  ['pika', {ingredients: true, image_url: images(4)}, ['image_url']],
  ['headshots', {template: 'wedding', image_urls: images(3)}, ['image_urls']],
  ['veo', {action: 'get1080p', video_id: 'v', prompt: long(501)}, []],
]
test.each(refused)('%s %o: faults in %o', (id, values, fields) => {
  expect(
    toolNamed(id)
      .tool.faults(formOf(id, values))
      .map(({field}) => field),
  ).toEqual(fields)
})

describe('fields that others no longer allow', () => {
  const settled: [tool: string, values: Form, changed: Form, dropped: string[]][] = [
    ['sora', {model: 'sora-2', duration: 25}, {duration: 10}, ['duration']],
    ['sora', {model: 'sora-2', duration: 15}, {duration: 15}, []],
    ['sora', {model: 'sora-2-pro', duration: 25}, {duration: 25}, []],
    ['midjourney', {model: '', style: 'cute'}, {style: ''}, ['style']],
    ['midjourney', {model: 'niji 5', style: 'raw'}, {style: ''}, ['style']],
    ['midjourney', {model: 'niji 5', style: 'cute'}, {style: 'cute'}, []],
    ['midjourney', {video_id: '', video_index: 2}, {video_index: 0}, []],
    ['midjourney', {video_id: '', video_index: 2, style: 'cute'}, {video_index: 0, style: ''}, ['style']],
    ['midjourney', {video_id: '77', video_index: 2}, {video_index: 2}, []],
    ['pika', {ingredients: true, model: '1.5'}, {model: '2.0'}, ['model']],
    [
      'pika',
      {ingredients: false, image_url: [image], ingredients_mode: 'precise'},
      {image_url: [], ingredients_mode: 'creative'},
      [],
    ],
    ['veo', {action: 'get1080p'}, {action: 'text2video'}, ['action']],
    ['veo', {action: 'text2video', video_id: 'vid', video_url: 'u'}, {video_id: '', video_url: ''}, []],
    ['luma', {custom: true, video_id: 'v', video_url: 'u'}, {custom: false, video_id: 'v', video_url: 'u'}, []],
    ['suno', {mode: 'simple', audio_id: 'a', action: 'extend'}, {audio_id: '', action: ''}, ['audio_id']],
    [
      'suno',
      {mode: 'custom', action: 'extend', title: 'Rain', source_title: 'Rain', style: 'mine', source_style: 'lo-fi'},
      {title: '', source_title: '', style: 'mine', source_style: ''},
      [],
    ],
    ['suno', {mode: 'custom', action: 'extend', continue_at: 5}, {action: '', continue_at: undefined}, []],
  ]
  test.each(settled)('%s %o', (id, values, changed, dropped) => {
    const {tool} = toolNamed(id)
    const result = tool.settle(z.parse(tool.form, values))
    expect(result.form).toMatchObject(changed)
    expect(result.dropped).toEqual(dropped)
    expect(tool.settle(result.form)).toEqual({form: result.form, dropped: []})
  })
})

describe('the server refuses', () => {
  const bodies: [tool: string, operation: string, body: Form, field: string][] = [
    ['kling', 'videos', {prompt: 'a', thumbnail_url: 'leak'}, ''],
    ['kling', 'videos', {prompt: 'a', duration: 7}, 'duration'],
    ['kling', 'videos', {prompt: ''}, 'prompt'],
    ['kling', 'videos', {prompt: 'a', action: 'extend'}, 'video_id'],
    ['kling', 'videos', {prompt: 'a', start_image_url: 'javascript:alert(1)'}, 'start_image_url'],
    ['sora', 'videos', {prompt: 'a', model: 'sora-2', duration: 25}, 'duration'],
    ['veo', 'videos', {action: 'get1080p'}, 'video_id'],
    ['flux', 'images', {action: 'edit', prompt: 'a'}, 'image_url'],
    ['flux', 'images', {prompt: 'a', count: 5}, 'count'],
    ['pika', 'videos', {prompt: 'a', ingredients: true, model: '1.5', image_url: [image]}, 'model'],
    [
      'nanobanana',
      'images',
      {action: 'edit', prompt: 'a', image_urls: Array.from({length: 6}, () => image)},
      'image_urls',
    ],
    ['headshots', 'generate', {template: '', image_urls: [image]}, 'template'],
    ['qrart', 'generate', {content: 'x'.repeat(1300)}, 'content'],
    ['qrart', 'generate', {content: 'a', content_image_url: 'https://files.test/a.png'}, 'content_image_url'],
    ['suno', 'audios', {action: 'extend'}, 'audio_id'],
    ['suno', 'audios', {custom: true}, 'lyric'],
    ['midjourney', 'imagine', {action: 'upscale1'}, 'image_id'],
    ['midjourney', 'imagine', {action: 'generate', prompt: ' '}, 'prompt'],
    ['midjourney', 'videos', {action: 'extend', prompt: 'a'}, 'video_id'],
    ['midjourney', 'videos', {action: 'extend', prompt: 'a', video_id: '77', video_index: 4}, 'video_index'],
  ]
  test.each(bodies)('%s %s %o', (id, operation, body, field) => {
    const result = z.safeParse(toolNamed(id).tool.operations[operation]?.body ?? z.never(), body)
    expect(result.error?.issues.map(({path}) => path.join('.'))).toEqual([field])
  })
})
