import {describe, expect, test} from 'vitest'
import type {AnyScreen} from '#features/media/any-tool.ts'
import {requestSettings} from '#features/media/request-settings.ts'
import {formFromRequest} from '#features/media/settings-values.ts'
import type {Artifact} from '#contract/media/media-tool.ts'
import {toolNamed} from '#tests/contract/media/all-tools.ts'

/* A request tells how a task was made, with the tool's own reading of it; message ids stand for their words. */

const words = (label: string, values?: Record<string, unknown>) =>
  label === 'common.mediaSeconds' ? `${String(values?.value)} s` : label

function settingsOf(id: string, request: Record<string, unknown>, type: string, artifact?: Artifact) {
  const {tool, screen} = toolNamed(id)
  // as: the exact form is forgotten, as the client forgets it
  const settings = requestSettings(
    screen as unknown as AnyScreen,
    formFromRequest(tool, {request, type}),
    words,
    artifact,
  )
  return Object.fromEntries(settings.map(({key, value}) => [key, value]))
}

test.each([
  ['a limit of its maker', {duration: 25}, {durationSeconds: 10.02}, {duration: '10 s'}],
  ['an answer that says nothing', {duration: 25}, {}, {duration: '25 s'}],
])('a length is that of the file: %s', (_, request, file, said) => {
  const sora = {model: 'sora-2-pro', ...request}
  expect(settingsOf('sora', sora, 'videos', {medium: 'video', ...file})).toMatchObject(said)
})

test.each([
  ['as asked', {width: 1280, height: 720}, '16:9'],
  ['whole pixels', {width: 854, height: 480}, '16:9'],
  ['another one', {width: 512, height: 768}, '2:3'],
  ['without a name', {width: 500, height: 130}, '500 × 130'],
  ['unknown', {}, '16:9'],
])('a ratio is that of the image: %s', (_, size, ratio) => {
  expect(settingsOf('kling', {aspect_ratio: '16:9'}, 'videos', {medium: 'video', ...size})).toEqual({
    aspect_ratio: ratio,
  })
})

test.each([
  ['as asked', 'portrait', {width: 720, height: 1280}, 'orientationPortrait'],
  ['the other one', 'portrait', {width: 1280, height: 720}, '16:9'],
  ['neither', 'landscape', {width: 720, height: 720}, '1:1'],
  ['unknown', 'landscape', {}, 'orientationLandscape'],
])('an orientation is that of the video: %s', (_, orientation, size, said) => {
  expect(settingsOf('sora', {orientation}, 'videos', {medium: 'video', ...size})).toEqual({orientation: said})
})

describe('midjourney', () => {
  test('what stands behind the flags of the prompt, and what no flag means', () => {
    const prompt = 'https://files.test/a.png a boat --version 6.1 --quality .5 --aspect 16:9 --no ropes'
    expect(settingsOf('midjourney', {action: 'generate', prompt, mode: 'relax'}, 'imagine')).toEqual({
      model: 'modelGeneral',
      version: '6.1',
      quality: expect.stringMatching(/\w/) as string,
      ratio: '16:9',
      ignore: 'ropes',
      tab: 'tabImages',
      mode: 'common.mediaRelax',
    })
    expect(settingsOf('midjourney', {prompt: 'a boat --niji 5', mode: 'fast'}, 'imagine')).toEqual({
      model: 'Niji 5',
      ratio: '1:1',
      tab: 'tabImages',
      quality: 'qualityHigh',
      mode: 'common.mediaFast',
    })
    // a user who sent no version left it to the service
    expect(settingsOf('midjourney', {prompt: 'a boat'}, 'imagine')).not.toHaveProperty('version')
  })

  test('a switch is on or off in words', () => {
    expect(
      settingsOf('midjourney', {prompt: 'waves', loop: false, mode: 'fast', resolution: '480p'}, 'videos').loop,
    ).toBe('common.mediaOff')
    expect(settingsOf('luma', {prompt: 'waves', loop: true}, 'videos').loop).toBe('common.mediaOn')
  })

  test('what works on an image says nothing of how that was made', () => {
    const upscale = settingsOf('midjourney', {action: 'upscale1', image_id: '1', mode: 'fast'}, 'imagine')
    expect(Object.keys(upscale).filter((key) => ['model', 'version', 'quality', 'ratio'].includes(key))).toEqual([])
  })
})

describe('suno', () => {
  test('the mode that songs were asked for in', () => {
    expect(settingsOf('suno', {model: 'chirp-v5', custom: true, lyric: 'la'}, 'audios')).toEqual({
      mode: 'modeCustom',
      model: 'chirp v5',
      lyric: 'la',
    })
    expect(settingsOf('suno', {model: 'chirp-v5', prompt: 'a shanty'}, 'audios')).toEqual({
      mode: 'modeSimple',
      model: 'chirp v5',
    })
  })

  test('none of what is made otherwise', () => {
    expect(settingsOf('suno', {model: 'default', prompt: 'snow'}, 'audios')).not.toHaveProperty('mode')
    expect(settingsOf('suno', {action: 'stems', audio_id: 'a1'}, 'audios')).not.toHaveProperty('mode')
  })
})
