import {expect, test} from 'vitest'
import {readIdentities} from '#tools/media-tools.mjs'
import type {ToolIdentity} from '#contract/media/media-tool.ts'
import {targetsOfSeveral} from '#domain/targets-of-several.ts'
import {usedValues, targetsOf, type UseTarget} from '#domain/use-targets.ts'

// as: the plugin reads them as plain data; each file checks its own against ToolIdentity
const identities = readIdentities() as ToolIdentity[]
const name = (target: UseTarget) =>
  target.kind === 'chat' ? `${target.group} ${target.as}` : `${target.tool} ${target.input.field}`
const url = 'https://files.test/a'
const chats = [
  {group: 'chatgpt', name: 'ChatGPT', takesImages: true},
  {group: 'deepseek', name: 'DeepSeek', takesImages: false},
] as const

test('an image goes wherever an image is taken, and into a chat', () => {
  expect(targetsOf(identities, chats, {medium: 'image', url}).map(name)).toEqual([
    'midjourney references',
    'midjourney image_url',
    'midjourney end_image_url',
    'midjourney image_url',
    'flux image_url',
    'nanobanana image_urls',
    'qrart content_image_url',
    'headshots image_urls',
    'luma start_image_url',
    'luma end_image_url',
    'pika image_url',
    'kling start_image_url',
    'kling end_image_url',
    'veo image_urls',
    'sora image_urls',
    'pixverse image_url',
    'hailuo first_image_url',
    'chatgpt attachment',
  ])
})

test('a video is extended, a song reworked and its words sung', () => {
  expect(targetsOf(identities, chats, {medium: 'video', url}).map(name)).toEqual(['luma video_url'])
  const targets = targetsOf(identities, chats, {medium: 'audio', url, text: 'la la'})
  expect(targets.map((target) => `${name(target)} ${target.value}`)).toEqual([
    `suno reference_url ${url}`,
    'suno lyric la la',
    'chatgpt question la la',
    'deepseek question la la',
  ])
})

test('a text is a prompt anywhere and a lyric', () => {
  const targets = targetsOf(identities, chats, {medium: 'text', text: 'a boat'})
  expect(targets.map(name)).toEqual([
    'midjourney prompt',
    'flux prompt',
    'nanobanana prompt',
    'qrart prompt',
    'luma prompt',
    'pika prompt',
    'kling prompt',
    'veo prompt',
    'sora prompt',
    'pixverse prompt',
    'hailuo prompt',
    'suno lyric',
    'suno prompt',
    'chatgpt question',
    'deepseek question',
  ])
  expect(new Set(targets.map(({value}) => value))).toEqual(new Set(['a boat']))
})

test('what has nothing to give goes nowhere', () => {
  expect(targetsOf(identities, chats, {medium: 'video', id: 'made later'})).toEqual([])
  expect(targetsOf(identities, chats, {medium: 'text', text: ' '})).toEqual([])
})

test('one field is replaced, a list is added to, the newest stay; other fields follow', () => {
  const frame = {medium: 'image', field: 'image', label: 'foo', most: 1, set: {action: 'edit'}} as const
  expect(usedValues({image: 'old'}, frame, 'new')).toEqual({image: 'new', action: 'edit'})
  const list = {...frame, field: 'images', most: 2}
  expect(usedValues({}, list, 'a')).toEqual({images: ['a'], action: 'edit'})
  expect(usedValues({images: ['a']}, list, 'b').images).toEqual(['a', 'b'])
  expect(usedValues({images: ['a', 'b']}, list, 'c').images).toEqual(['b', 'c'])
  expect(usedValues({images: ['a', 'b']}, list, 'a').images).toEqual(['b', 'a'])
})

test('several files go together where a target takes so many, in their order', () => {
  const files = ['a', 'b', 'c'].map((file) => ({url: file, medium: 'image' as const}))
  const three = targetsOfSeveral(identities, chats, files)
  expect(three.map(name)).toEqual([
    'midjourney references',
    'nanobanana image_urls',
    'pika image_url',
    'chatgpt attachment',
  ])
  expect(three.map(({value, more}) => [value, more])).toEqual(three.map(() => ['a', ['b', 'c']]))
  expect(targetsOfSeveral(identities, chats, files.slice(0, 1))).toEqual(
    targetsOf(identities, chats, {url: 'a', medium: 'image'}),
  )
  expect(targetsOfSeveral(identities, chats, [...files, {url: 'd', medium: 'video'}])).toEqual([])
  expect(targetsOfSeveral(identities, chats, [])).toEqual([])
  const list = {medium: 'image', field: 'images', label: 'foo', most: 4} as const
  expect(usedValues({images: ['z', 'b']}, list, 'c', 'b', 'a').images).toEqual(['z', 'c', 'b', 'a'])
})
