import type {MediaPlan} from '#contract/media/media-tool.ts'

/* Bodies that each operation of each tool takes, and what is planned for them. */

export const picture = 'https://files.test/a.png'
export const second = 'https://files.test/b.png'

export type OperationCase = [tool: string, operation: string, body: Record<string, unknown>, plan: Partial<MediaPlan>]
export const operationCases: OperationCase[] = [
  [
    'midjourney',
    'imagine',
    {prompt: `${picture} ${second} a boat --seed 9 --aspect 16:9`},
    {
      medium: 'image',
      prompt: 'a boat --seed 9 --aspect 16:9',
      count: 1,
      aspectRatio: [16, 9],
      seed: 9,
      sources: [picture, second],
      tiles: 4,
    },
  ],
  [
    'midjourney',
    'imagine',
    {action: 'upscale2', image_id: '5001', mode: 'turbo'},
    {medium: 'image', count: 1, sourceId: '5001', action: 'upscale2', tiles: 1},
  ],
  ['midjourney', 'imagine', {action: 'zoom_out_1_5x', image_id: '5001'}, {action: 'zoom_out_1_5x', tiles: 4}],
  [
    'midjourney',
    'videos',
    {prompt: 'waves', image_url: picture, end_image_url: second},
    {medium: 'video', count: 4, durationSeconds: 5, sources: [picture, second]},
  ],
  [
    'midjourney',
    'videos',
    {action: 'extend', prompt: 'on', video_id: '77', video_index: 2},
    {sourceId: '77', sourceIndex: 2, action: 'extend', sources: []},
  ],
  ['midjourney', 'describe', {image_url: picture}, {medium: 'text', count: 4, sources: [picture]}],
  [
    'qrart',
    'generate',
    {
      type: 'email',
      content: 'foo@bar.test',
      preset: 'sunset',
      prompt: 'sea',
      qrw: 2.5,
      ecl: 'Q',
      aspect_ratio: '4:3',
      seed: 3,
    },
    {
      medium: 'image',
      prompt: 'sea, sunset',
      aspectRatio: [4, 3],
      seed: 3,
      code: {content: 'mailto:foo@bar.test', correction: 'Q', strength: 2.5},
    },
  ],
  [
    'qrart',
    'generate',
    {content_image_url: picture},
    {sources: [picture], code: {content: '', correction: 'H', strength: 2}},
  ],
  [
    'luma',
    'videos',
    {prompt: 'fog', aspect_ratio: '9:16', start_image_url: picture},
    {medium: 'video', aspectRatio: [9, 16], sources: [picture]},
  ],
  [
    'luma',
    'videos',
    {action: 'extend', video_id: 'v', video_url: second},
    {sourceId: 'v', action: 'extend', sources: []},
  ],
  ['luma', 'videos', {action: 'extend', video_url: second}, {action: 'extend', sources: [second]}],
  ['pika', 'videos', {prompt: 'fox', effect: 'Melt'}, {prompt: 'fox, Melt', sources: []}],
  ['pika', 'videos', {ingredients: true, image_url: [picture]}, {sources: [picture]}],
  [
    'kling',
    'videos',
    {prompt: 'kite', duration: 10, aspect_ratio: '9:16', start_image_url: picture, end_image_url: second},
    {medium: 'video', durationSeconds: 10, aspectRatio: [9, 16], sources: [picture, second]},
  ],
  ['kling', 'videos', {action: 'extend', video_id: 'kv'}, {action: 'extend', sourceId: 'kv'}],
  ['veo', 'videos', {prompt: 'harbor', image_urls: [picture]}, {sources: [], aspectRatio: [16, 9]}],
  ['veo', 'videos', {action: 'image2video', image_urls: [picture]}, {sources: [picture]}],
  ['veo', 'videos', {action: 'get1080p', video_id: 'vid'}, {action: 'get1080p', sourceId: 'vid'}],
  [
    'sora',
    'videos',
    {prompt: 'tram', model: 'sora-2-pro', duration: 25, orientation: 'portrait'},
    {durationSeconds: 25, aspectRatio: [9, 16], sources: []},
  ],
  [
    'pixverse',
    'videos',
    {prompt: 'moth', style: 'clay', duration: 8, seed: 0, image_url: picture},
    {prompt: 'moth, clay', durationSeconds: 8, seed: 0, sources: [picture]},
  ],
  [
    'flux',
    'images',
    {prompt: 'owl', count: 3, aspect_ratio: '3:2'},
    {medium: 'image', count: 3, aspectRatio: [3, 2], sources: []},
  ],
  [
    'flux',
    'images',
    {action: 'edit', prompt: 'hat', image_url: picture, size: '1024x512'},
    {aspectRatio: [1024, 512], sources: [picture]},
  ],
  ['hailuo', 'videos', {model: 'minimax-i2v', first_image_url: picture}, {sources: [picture]}],
  [
    'headshots',
    'generate',
    {template: 'wedding', image_urls: [picture]},
    {medium: 'image', count: 2, sources: [picture]},
  ],
  [
    'suno',
    'audios',
    {custom: true, lyric: 'la', style: 'folk', title: 'Tide'},
    {
      medium: 'audio',
      count: 2,
      prompt: 'folk',
      song: {title: 'Tide', style: 'folk', lyric: 'la', isInstrumental: false},
    },
  ],
  [
    'suno',
    'audios',
    {action: 'extend', audio_id: 'a1', continue_at: 30, custom: true},
    {
      action: 'extend',
      sourceId: 'a1',
      song: {title: undefined, style: undefined, lyric: undefined, isInstrumental: false, continueAt: 30},
    },
  ],
  ['suno', 'audios', {action: 'concat', audio_id: 'a1'}, {count: 1, action: 'concat', sourceId: 'a1'}],
  ['suno', 'lyrics', {prompt: 'snow'}, {medium: 'text', count: 1, prompt: 'snow'}],
  [
    'suno',
    'upload',
    {audio_url: 'https://files.test/own.mp3'},
    {medium: 'audio', action: 'upload', sources: ['https://files.test/own.mp3']},
  ],
  ['suno', 'mp4', {audio_id: 'a1'}, {medium: 'video', action: 'mp4', sourceId: 'a1'}],
  [
    'nanobanana',
    'images',
    {action: 'edit', prompt: 'hat', image_urls: [picture, second]},
    {sources: [picture, second]},
  ],
  ['nanobanana', 'images', {prompt: 'cat', aspect_ratio: '2:3'}, {aspectRatio: [2, 3], sources: []}],
]
