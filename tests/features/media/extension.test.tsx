import {act, screen} from '@testing-library/react'
import {beforeEach, describe, expect, test} from 'vitest'
import {tool as kling} from '#contract/media/kling.ts'
import {screen as klingScreen} from '#contract/media/kling.screen.ts'
import {tool as luma} from '#contract/media/luma.ts'
import {screen as lumaScreen} from '#contract/media/luma.screen.ts'
import {tool as midjourney} from '#contract/media/midjourney.ts'
import {screen as midjourneyScreen} from '#contract/media/midjourney.screen.ts'
import {tool as suno} from '#contract/media/suno.ts'
import {screen as sunoScreen} from '#contract/media/suno.screen.ts'
import {tool as veo} from '#contract/media/veo.ts'
import {screen as veoScreen} from '#contract/media/veo.screen.ts'
import {openScreen, useWidth} from './open-screen.tsx'

const cases = [
  ['kling, a result', kling, klingScreen, {video_id: 'foo'}, 'Generate'],
  ['luma, a result', luma, lumaScreen, {video_id: 'foo'}, 'Generate'],
  ['luma, an own film', luma, lumaScreen, {custom: true, video_url: 'https://cdn.example/a.mp4'}, 'Generate'],
  ['midjourney, a film', midjourney, midjourneyScreen, {tab: 'videos', video_id: 'foo'}, 'Generate'],
  ['suno, a song', suno, sunoScreen, {mode: 'custom', action: 'extend', audio_id: 'foo'}, 'Create'],
  ['suno, a recording', suno, sunoScreen, {mode: 'custom', action: 'upload_extend', audio_id: 'foo'}, 'Create'],
] as const

/** The button of the form: the one that the keys press. */
const button = () => document.querySelector('[aria-keyshortcuts^="Control+Enter"]')?.textContent

describe('the button that sends an extension says Extend', () => {
  beforeEach(() => void useWidth(1_440))

  test.each(cases)('%s', async (_name, tool, shown, values, usual) => {
    // as: the world holds any tool, and a form of one tool is narrower than that
    const {actors} = await openScreen({tool, screen: shown} as unknown as Parameters<typeof openScreen>[0])
    expect(button()).toMatch(new RegExp(`^${usual}`))
    act(() => actors.generation.send({type: 'form.fill', values}))
    expect(button()).toMatch(/^Extend/)
    act(() => actors.generation.send({type: 'form.reset'}))
    expect(button()).toMatch(new RegExp(`^${usual}`))
  })
})

test.each([
  ['suno, another version of a song', suno, sunoScreen, {mode: 'custom', action: 'cover', audio_id: 'foo'}, 'Cover'],
  ['veo, a video in a higher resolution', veo, veoScreen, {action: 'get1080p', video_id: 'foo'}, 'Get 1080p'],
  ['veo, a video from images', veo, veoScreen, {action: 'image2video', prompt: 'foo'}, 'Generate'],
])('the button that sends other work on a result names that: %s', async (_name, tool, shown, values, label) => {
  useWidth(1_440)
  // as: see above
  const {actors} = await openScreen({tool, screen: shown} as unknown as Parameters<typeof openScreen>[0])
  act(() => actors.generation.send({type: 'form.fill', values}))
  expect(button()).toMatch(new RegExp(`^${label}`))
})

test('on a phone too', async () => {
  useWidth(390)
  // as: see above
  const {actors} = await openScreen({tool: kling, screen: klingScreen} as unknown as Parameters<typeof openScreen>[0])
  await screen.findByRole('button', {name: /^Generate/})
  act(() => actors.generation.send({type: 'form.fill', values: {video_id: 'foo'}}))
  expect(screen.getByRole('button', {name: /^Extend/})).toBeVisible()
  expect(screen.queryByRole('button', {name: /^Generate/})).toBeNull()
})
