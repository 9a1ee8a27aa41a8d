import {expect, test} from 'vitest'
import {chatOffers} from '#app/media/chat-offers.ts'
import {enabledTools} from '#features/shell/tools.ts'

const served = (name: string, given: object = {}) => ({name, group: 'chatgpt' as const, provider: 'foo', ...given})

test('a chat that the site switched off takes no result', () => {
  const allowed = enabledTools({deepseek: {enabled: true}, kling: {enabled: true}})
  expect(chatOffers(allowed, [])).toEqual([{group: 'deepseek', name: 'DeepSeek', takesImages: false}])
})

test('a chat takes images when a model of its group is served that reads them', () => {
  const takes = (...models: Parameters<typeof chatOffers>[1]) =>
    chatOffers(enabledTools({chatgpt: {enabled: true}}), models)[0]?.takesImages
  expect(takes(served('foo', {isImageSupported: true}))).toBe(true)
  expect(takes(served('foo'))).toBe(false)
  expect(takes(served('foo', {isImageSupported: true, disabled: 'not_configured'}))).toBe(false)
  expect(takes(served('foo', {isImageSupported: true, group: 'grok'}))).toBe(false)
})
