import {expect, test} from 'vitest'
import {z} from '#contract/schema.ts'
import {all, toolNamed} from './all-tools.ts'

/* What a form sends (contract/media §1.3: only fields of the API), and that a task's settings send the same again. */

type Form = Record<string, unknown>
const formOf = (id: string, values: Form) => {
  const {tool} = toolNamed(id)
  return tool.settle(z.parse(tool.form, values)).form
}
const picture = 'https://files.test/a.png'
const other = 'https://files.test/b.png'
const song = {mode: 'custom', audio_id: 'a1', source_cover: picture, source_seconds: 151.2}

const sent: [tool: string, values: Form, operation: string, body: Form][] = [
  [
    'kling',
    {prompt: 'kite'},
    'videos',
    {prompt: 'kite', model: 'kling-v1', aspect_ratio: '1:1', duration: 5, mode: 'std', cfg_scale: 0},
  ],
  [
    'kling',
    {prompt: 'kite', mode: '', negative_prompt: 'text', start_image_url: picture, end_image_url: other, cfg_scale: 0.5},
    'videos',
    {
      prompt: 'kite',
      model: 'kling-v1',
      aspect_ratio: '1:1',
      duration: 5,
      cfg_scale: 0.5,
      negative_prompt: 'text',
      start_image_url: picture,
      end_image_url: other,
    },
  ],
  [
    'kling',
    {prompt: 'on', video_id: 'kv', video_url: 'https://files.test/k.mp4', start_image_url: picture},
    'videos',
    {
      action: 'extend',
      video_id: 'kv',
      prompt: 'on',
      model: 'kling-v1',
      aspect_ratio: '1:1',
      duration: 5,
      mode: 'std',
      cfg_scale: 0,
    },
  ],
  ['luma', {prompt: 'fog'}, 'videos', {prompt: 'fog', aspect_ratio: '1:1', enhancement: true, loop: false}],
  [
    'luma',
    {
      prompt: 'fog',
      video_id: 'v-1',
      video_url: 'https://files.test/l.mp4',
      thumbnail_url: picture,
      start_image_url: picture,
      end_image_url: other,
    },
    'videos',
    {
      action: 'extend',
      prompt: 'fog',
      aspect_ratio: '1:1',
      video_id: 'v-1',
      video_url: 'https://files.test/l.mp4',
      end_image_url: other,
      enhancement: true,
      loop: false,
    },
  ],
  [
    'luma',
    {custom: true, video_url: 'https://files.test/own.mp4', start_image_url: picture},
    'videos',
    {action: 'extend', aspect_ratio: '1:1', video_url: 'https://files.test/own.mp4', enhancement: true, loop: false},
  ],
  [
    'luma',
    {prompt: 'fog', video_url: 'https://files.test/left.mp4'},
    'videos',
    {prompt: 'fog', aspect_ratio: '1:1', enhancement: true, loop: false},
  ],
  [
    'pika',
    {prompt: 'fox', effect: 'Melt', model: '1.5'},
    'videos',
    {prompt: 'fox', model: '1.5', ingredients: false, effect: 'Melt'},
  ],
  [
    'pika',
    {ingredients: true, model: '1.5', image_url: [picture]},
    'videos',
    {model: '2.0', ingredients: true, ingredients_mode: 'creative', image_url: [picture]},
  ],
  [
    'veo',
    {prompt: 'harbor'},
    'videos',
    {
      action: 'text2video',
      model: 'veo2-fast',
      prompt: 'harbor',
      translation: false,
      aspect_ratio: '16:9',
      image_urls: [],
    },
  ],
  [
    'veo',
    {action: '', prompt: 'harbor', image_urls: [picture]},
    'videos',
    {model: 'veo2-fast', prompt: 'harbor', translation: false, aspect_ratio: '16:9', image_urls: []},
  ],
  [
    'veo',
    {action: 'image2video', image_urls: [picture, other], aspect_ratio: '9:16'},
    'videos',
    {action: 'image2video', model: 'veo2-fast', translation: false, aspect_ratio: '9:16', image_urls: [picture, other]},
  ],
  [
    'veo',
    {action: 'get1080p', video_id: 'vid', video_url: 'https://files.test/v.mp4'},
    'videos',
    {
      action: 'get1080p',
      video_id: 'vid',
      video_url: 'https://files.test/v.mp4',
    },
  ],
  [
    'sora',
    {prompt: 'tram', image_urls: [picture]},
    'videos',
    {
      action: 'text2video',
      model: 'sora-2',
      prompt: 'tram',
      duration: 10,
      size: 'small',
      orientation: 'landscape',
      image_urls: [],
    },
  ],
  [
    'pixverse',
    {prompt: 'moth', seed: 0},
    'videos',
    {prompt: 'moth', model: 'v3.5', aspect_ratio: '16:9', duration: 5, quality: '540p', motion: 'normal', seed: 0},
  ],
  [
    'flux',
    {prompt: 'owl', count: 2, image_url: picture},
    'images',
    {action: 'generate', prompt: 'owl', model: 'flux-dev', count: 2},
  ],
  [
    'flux',
    {action: 'edits', prompt: 'hat', image_url: picture, aspect_ratio: '3:2', quality: 80},
    'images',
    {action: 'edits', prompt: 'hat', model: 'flux-dev', count: 1, image_url: picture, aspect_ratio: '3:2', quality: 80},
  ],
  ['hailuo', {prompt: 'surf', first_image_url: picture}, 'videos', {prompt: 'surf', model: 'minimax-t2v'}],
  ['hailuo', {model: '', prompt: 'surf'}, 'videos', {prompt: 'surf'}],
  [
    'hailuo',
    {model: 'minimax-i2v', first_image_url: picture},
    'videos',
    {model: 'minimax-i2v', first_image_url: picture},
  ],
  [
    'headshots',
    {template: 'wedding', image_urls: [picture], mode: 'relax'},
    'generate',
    {template: 'wedding', mode: 'relax', image_urls: [picture]},
  ],
  [
    'nanobanana',
    {prompt: 'cat', image_urls: [picture]},
    'images',
    {action: 'generate', prompt: 'cat', aspect_ratio: '1:1'},
  ],
  [
    'nanobanana',
    {action: 'edit', prompt: 'hat', image_urls: [picture]},
    'images',
    {action: 'edit', prompt: 'hat', aspect_ratio: '1:1', image_urls: [picture]},
  ],
  ['suno', {prompt: 'sea shanty', lyric: 'kept'}, 'audios', {model: 'chirp-v4-5', prompt: 'sea shanty'}],
  ['suno', {prompt: 'dance', instrumental: true}, 'audios', {model: 'chirp-v4-5', prompt: 'dance', instrumental: true}],
  [
    'suno',
    {mode: 'custom', lyric: 'la', style: 'folk', title: 'Tide', prompt: 'kept'},
    'audios',
    {model: 'chirp-v4-5', custom: true, lyric: 'la', style: 'folk', title: 'Tide'},
  ],
  [
    'suno',
    {mode: 'custom', lyric: 'kept', style: 'folk', instrumental: true},
    'audios',
    {model: 'chirp-v4-5', custom: true, instrumental: true, style: 'folk'},
  ],
  [
    'suno',
    {...song, action: 'extend', continue_at: 151, lyric: 'more'},
    'audios',
    {model: 'chirp-v4-5', custom: true, lyric: 'more', action: 'extend', audio_id: 'a1', continue_at: 151},
  ],
  [
    'suno',
    {...song, action: 'extend', continue_at: 900},
    'audios',
    {model: 'chirp-v4-5', custom: true, action: 'extend', audio_id: 'a1', continue_at: 151},
  ],
  [
    'suno',
    {...song, action: 'cover', continue_at: 3},
    'audios',
    {model: 'chirp-v4-5', custom: true, action: 'cover', audio_id: 'a1'},
  ],
  ['suno', {reference_url: 'https://files.test/own.mp3'}, 'upload', {audio_url: 'https://files.test/own.mp3'}],
  [
    'qrart',
    {type: 'link', content: 'https://shop.example', prompt: 'lemon grove', content_image_url: picture},
    'generate',
    {type: 'link', content: 'https://shop.example', prompt: 'lemon grove', aspect_ratio: '1:1', qrw: 2, steps: 20},
  ],
  [
    'qrart',
    {
      source: 'picture',
      content: 'kept',
      content_image_url: picture,
      preset: 'sunset',
      ecl: 'Q',
      rotate: 90,
      padding_noise: 0.25,
      seed: 7,
      qrw: 1.5,
    },
    'generate',
    {
      type: 'text',
      content_image_url: picture,
      aspect_ratio: '1:1',
      preset: 'sunset',
      qrw: 1.5,
      steps: 20,
      seed: 7,
      ecl: 'Q',
      rotate: 90,
      padding_noise: 0.25,
    },
  ],
  [
    'midjourney',
    {prompt: 'a paper boat'},
    'imagine',
    {action: 'generate', prompt: 'a paper boat --version 6.1', mode: 'fast'},
  ],
  [
    'midjourney',
    {
      tab: 'videos',
      prompt: 'waves',
      image_url: picture,
      end_image_url: other,
      mode: 'relax',
      loop: true,
      resolution: '720p',
      elements: ['serene'],
    },
    'videos',
    {prompt: 'waves', image_url: picture, end_image_url: other, resolution: '720p', loop: true, mode: 'relax'},
  ],
  [
    'midjourney',
    {tab: 'videos', prompt: 'on', video_id: '77', video_url: picture, image_url: picture},
    'videos',
    {action: 'extend', video_id: '77', prompt: 'on', resolution: '480p', loop: false, mode: 'fast'},
  ],
  [
    'midjourney',
    {tab: 'videos', prompt: 'on', video_id: '77', video_index: 3},
    'videos',
    {action: 'extend', video_id: '77', video_index: 3, prompt: 'on', resolution: '480p', loop: false, mode: 'fast'},
  ],
  ['midjourney', {tab: 'describe', image_url: picture, prompt: 'kept'}, 'describe', {image_url: picture}],
]

test.each(sent)('%s %o', (id, values, operation, body) => {
  const {tool} = toolNamed(id)
  const form = formOf(id, values)
  expect(tool.faults(form)).toEqual([])
  expect(tool.submit(form)).toEqual({operation, body})
  expect(z.safeParse(tool.operations[operation]?.body ?? z.never(), body).error).toBeUndefined()
})

test.each(all)('$id: settings of a task fill the form again and send the same', ({id, tool}) => {
  for (const [, values, operation, body] of sent.filter(([name]) => name === id)) {
    if (operation === 'upload') continue // its address was used up by the upload
    const request = {...body, callback_url: 'https://hooks.test', async: true, unset: null}
    const again = tool.settle(
      z.parse(tool.form, tool.reuse?.(request, tool.operations[operation]?.taskType) ?? request),
    ).form
    expect({values, ...tool.submit(again)}).toEqual({values, operation, body: {...body, ...defaultsSent(id, body)}})
  }
})

/** A setting that was cleared comes back as the default the server took. */
const defaultsSent = (id: string, body: Form): Form =>
  id === 'kling' && !('mode' in body)
    ? {mode: 'std'}
    : ['veo', 'sora'].includes(id) && !('action' in body)
      ? {action: 'text2video'}
      : id === 'hailuo' && !('model' in body)
        ? {model: 'minimax-t2v'}
        : {}
