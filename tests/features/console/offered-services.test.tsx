import {identities} from 'virtual:media-tools'
import {expect, test} from 'vitest'
import {chatServiceId} from '#contract/chat.ts'
import {isServiceOffered} from '#app/console/offered-services.ts'

const suno = identities.find(({id}) => id === 'suno')?.serviceId
const off = {enabled: false}

test('a tool that the site has turned off is not offered, and the chat is as long as one of its groups is', () => {
  expect([suno, chatServiceId].map((id) => isServiceOffered({}, id))).toEqual([true, true])
  expect(
    [suno, chatServiceId].map((id) => isServiceOffered({suno: off, grok: off, chatgpt: {enabled: true}}, id)),
  ).toEqual([false, true])
  expect(isServiceOffered({chatgpt: off, deepseek: off, grok: off}, chatServiceId)).toBe(false)
})

test('what is no tool of ours counts', () => {
  expect([isServiceOffered({}, 'foo'), isServiceOffered({}, undefined)]).toEqual([true, true])
})
