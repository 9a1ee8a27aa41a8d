import {expect, test} from 'vitest'
import type {AnyScreen} from '#features/media/any-tool.ts'
import {titleOf} from '#features/media/card-title.ts'
import {fileNameOf} from '#features/media/save-file.ts'
import type {Media} from '#features/media/media.context.ts'
import {toolNamed} from '#tests/contract/media/all-tools.ts'
import {card} from './cards.ts'

const titleFor = (id: string, request: Record<string, unknown>, type?: string, prompt = '') => {
  const {tool, screen} = toolNamed(id)
  // as: the exact form is forgotten, as the client forgets it
  const media = {tool, screen: screen as unknown as AnyScreen} as unknown as Pick<Media, 'tool' | 'screen'>
  return titleOf(
    media,
    card('succeeded', {type, request, prompt}),
    (message) => message,
    (message) => message,
  )
}

test.each([
  ['midjourney', {image_url: 'https://files.test/a.png'}, 'describe', 'tabDescribe'],
  ['midjourney', {action: 'upscale1', image_id: '1', mode: 'fast'}, 'imagine', 'madePick'],
  ['luma', {action: 'extend', video_url: 'https://files.test/a.mp4'}, undefined, 'common.mediaExtend'],
  ['hailuo', {model: 'minimax-i2v', first_image_url: 'https://files.test/a.png'}, 'videos', 'common.mediaFromImage'],
  ['headshots', {template: 'wedding', image_urls: []}, undefined, expect.stringMatching(/wedding/i)],
  ['veo', {action: 'get1080p', video_id: '1'}, 'videos', 'get1080p'],
  ['pika', {ingredients: true, model: '2.0', image_url: []}, 'videos', 'common.mediaUntitled'],
  ['suno', {custom: true, lyric: 'la', model: 'chirp-v5'}, 'audios', 'common.mediaUntitled'],
  ['suno', {audio_url: 'https://files.test/a.mp3'}, 'audios', 'reference'],
])('%s %j without a prompt is called by what it did', (id, request, type, title) => {
  expect(titleFor(id, request, type)).toEqual(title)
  expect(titleFor(id, request, type, 'foo')).toBe('foo')
})

test('a file is named by title and what was done for it', () => {
  const name = (names: (string | undefined)[]) => fileNameOf('suno', names, 'a-1', '/files/1/b.mp3', 'audio')
  expect(name(['Slow Rain', 'Extended from 0:35'])).toBe('suno-Slow-Rain-Extended-from-0-35-a1.mp3')
  expect(name(['Slow Rain', undefined])).toBe('suno-Slow-Rain-a1.mp3')
  expect(name(['สวัสดี नमस्ते'])).toBe('suno-สวัสดี-नमस्ते-a1.mp3')
  expect(name(['❤\uFE0F Rain ❤\uFE0F'])).toBe('suno-Rain-a1.mp3')
  // cut behind 48, in the middle of a letter and behind a space
  expect(name([`${'x'.repeat(46)} 𠀀`])).toBe(`suno-${'x'.repeat(46)}-a1.mp3`)
  expect(name([`${'x'.repeat(47)} y`])).toBe(`suno-${'x'.repeat(47)}-a1.mp3`)
  // results of one task whose ids begin alike
  const names = [1, 2].map((position) => fileNameOf('flux', ['owl'], 'task-0001', '/files/1/b.png', 'image', position))
  expect(names).toEqual(['flux-owl-task0001-1.png', 'flux-owl-task0001-2.png'])
})
