import {describe, expect, test} from 'vitest'
import {z} from '#contract/schema.ts'
import {all} from './all-tools.ts'

/* Ids, defaults and values of every tool (contract/media §1.2, §2; spec §9), written down by hand. */

const facts: Record<
  string,
  {
    service: string
    serviceId: string
    taskType?: string
    operations: Record<string, string>
    form: Record<string, unknown>
  }
> = {
  midjourney: {
    service: 'midjourney',
    serviceId: 'd87e5e99-b797-4ade-9e73-b896896b0461',
    operations: {
      imagine: '/midjourney/imagine',
      videos: '/midjourney/videos',
      describe: '/midjourney/describe',
    },
    form: {
      tab: 'imagine',
      mode: 'fast',
      prompt: '',
      references: [],
      model: '',
      ratio: '1:1',
      quality: '1',
      version: '6.1',
      elements: [],
      stylize: 100,
      weird: 0,
      chaos: 0,
      iw: 1,
      style: '',
      ignore: '',
      image_url: '',
      end_image_url: '',
      video_id: '',
      video_url: '',
      video_index: 0,
      resolution: '480p',
      loop: false,
    },
  },
  qrart: {
    service: 'qrart',
    serviceId: '38ecf158-36f2-42f2-8e7f-6786cdfc2452',
    operations: {generate: '/qrart/generate'},
    form: {
      source: 'typed',
      type: 'text',
      content: '',
      content_image_url: '',
      prompt: '',
      aspect_ratio: '1:1',
      preset: '',
      qrw: 2,
      steps: 20,
      position: 'center',
      pixel_style: 'square',
      marker_shape: 'square',
      sub_marker: 'square',
      rotate: 0,
      ecl: 'H',
      seed: undefined,
      padding_level: 5,
      padding_noise: 0,
    },
  },
  luma: {
    service: 'luma',
    serviceId: 'dff45a0d-2858-4936-8e2b-3d49c52aff11',
    operations: {videos: '/luma/videos'},
    form: {
      prompt: '',
      aspect_ratio: '1:1',
      custom: false,
      video_id: '',
      video_url: '',
      thumbnail_url: '',
      start_image_url: '',
      end_image_url: '',
      enhancement: true,
      loop: false,
    },
  },
  pika: {
    service: 'pika',
    serviceId: 'c7d407fa-0f87-4031-abbb-4f0716ff51ad',
    taskType: 'videos',
    operations: {videos: '/pika/videos'},
    form: {prompt: '', model: '2.0', ingredients: false, ingredients_mode: 'creative', image_url: [], effect: ''},
  },
  kling: {
    service: 'kling',
    serviceId: '3369e077-2500-4263-86c7-cae0f0e7e843',
    taskType: 'videos',
    operations: {videos: '/kling/videos'},
    form: {
      prompt: '',
      model: 'kling-v1',
      aspect_ratio: '1:1',
      start_image_url: '',
      end_image_url: '',
      duration: 5,
      mode: 'std',
      cfg_scale: 0,
      negative_prompt: '',
      video_id: '',
      video_url: '',
    },
  },
  veo: {
    service: 'veo',
    serviceId: '73cd74ba-a1bd-4a12-8df6-11d64c38df14',
    taskType: 'videos',
    operations: {videos: '/veo/videos'},
    form: {
      action: 'text2video',
      model: 'veo2-fast',
      prompt: '',
      translation: false,
      aspect_ratio: '16:9',
      image_urls: [],
      video_id: '',
      video_url: '',
    },
  },
  sora: {
    service: 'sora',
    serviceId: 'b0761231-74e6-42d3-a095-c1987a61e900',
    taskType: 'videos',
    operations: {videos: '/sora/videos'},
    form: {
      action: 'text2video',
      model: 'sora-2',
      prompt: '',
      image_urls: [],
      duration: 10,
      size: 'small',
      orientation: 'landscape',
    },
  },
  pixverse: {
    service: 'pixverse',
    serviceId: '74e74695-ceff-49d1-ac84-cfa876225ae8',
    taskType: 'videos',
    operations: {videos: '/pixverse/videos'},
    form: {
      prompt: '',
      model: 'v3.5',
      image_url: '',
      aspect_ratio: '16:9',
      duration: 5,
      quality: '540p',
      motion: 'normal',
      style: '',
      seed: undefined,
    },
  },
  flux: {
    service: 'flux',
    serviceId: 'e8ebe055-429a-48e9-9d34-5089eae5fd89',
    taskType: 'images',
    operations: {images: '/flux/images'},
    form: {
      action: 'generate',
      prompt: '',
      image_url: '',
      model: 'flux-dev',
      count: 1,
      aspect_ratio: '',
      quality: undefined,
    },
  },
  hailuo: {
    service: 'hailuo',
    serviceId: '5eaa73b7-b9a7-4a17-afb3-f658fd5495b0',
    taskType: 'videos',
    operations: {videos: '/hailuo/videos'},
    form: {prompt: '', model: 'minimax-t2v', first_image_url: ''},
  },
  headshots: {
    service: 'headshots',
    serviceId: '3b2ec5fb-cfcb-49f0-9393-6b8617a2d8c4',
    operations: {generate: '/headshots/generate'},
    form: {template: '', mode: 'fast', image_urls: []},
  },
  suno: {
    service: 'suno',
    serviceId: 'f2b646d8-3cfd-46ef-969a-1ea9eebde329',
    taskType: 'audios',
    operations: {audios: '/suno/audios', lyrics: '/suno/lyrics', upload: '/suno/upload', mp4: '/suno/mp4'},
    form: {
      mode: 'simple',
      model: 'chirp-v4-5',
      prompt: '',
      instrumental: false,
      lyric: '',
      style: '',
      title: '',
      action: '',
      audio_id: '',
      continue_at: undefined,
      source_cover: '',
      source_seconds: undefined,
      source_title: '',
      source_style: '',
      reference_url: '',
    },
  },
  nanobanana: {
    service: 'nano-banana',
    serviceId: '44fa6ed2-1ad1-4c7e-a8bd-30002728c0d1',
    taskType: 'images',
    operations: {images: '/nano-banana/images'},
    form: {action: 'generate', prompt: '', aspect_ratio: '1:1', image_urls: []},
  },
}

test('there are the thirteen tools of the specification', () => {
  expect(all.map(({id}) => id)).toEqual(Object.keys(facts).sort())
})

describe.each(all)('$id', ({id, tool}) => {
  test('ids, paths, task type and defaults', () => {
    const {service, serviceId, taskType, operations, form} = facts[id] ?? {}
    expect([tool.identity.id, tool.identity.service, tool.identity.serviceId]).toEqual([id, service, serviceId])
    expect(tool.taskType).toBe(taskType)
    expect(Object.fromEntries(Object.entries(tool.operations).map(([name, {path}]) => [name, path]))).toEqual(
      operations,
    )
    expect(z.parse(tool.form, {})).toEqual(form)
  })

  test('what is null, of another type or no longer allowed goes back to its default; the rest stays', () => {
    const defaults = z.parse(tool.form, {})
    const broken = Object.fromEntries(Object.keys(defaults).map((key) => [key, null]))
    expect(z.parse(tool.form, broken)).toEqual(defaults)
    expect(z.parse(tool.form, {...broken, prompt: 'foo', leaked: true})).toEqual(
      'prompt' in defaults ? {...defaults, prompt: 'foo'} : defaults,
    )
    expect(z.parse(tool.form, Object.fromEntries(Object.keys(defaults).map((key) => [key, {}])))).toEqual(defaults)
  })

  test('the defaults are settled and cannot be sent: something is missing', () => {
    const defaults = z.parse(tool.form, {})
    expect(tool.settle(defaults)).toEqual({form: defaults, dropped: []})
    expect(tool.faults(defaults).length).toBeGreaterThan(0)
  })
})
