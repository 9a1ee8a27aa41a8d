import {expect, test} from 'vitest'
import {enabledTools, groupLinks, toolOfPath, tools} from '#features/shell/tools.ts'

const on = {enabled: true}
const off = {enabled: false}

test('a site without features offers every tool', () => {
  expect(enabledTools(undefined)).toEqual(tools)
  expect(enabledTools({support: on})).toEqual(tools)
})

test('a site that names tools offers those it turned on', () => {
  expect(enabledTools({chatgpt: on, grok: off, suno: on}).map(({id}) => id)).toEqual(['chatgpt', 'suno'])
})

test('a group without an enabled tool disappears', () => {
  expect(groupLinks({chatgpt: on, kling: on}, [])).toEqual([
    {group: 'chat', path: '/chatgpt'},
    {group: 'video', path: '/kling'},
  ])
})

test('a group opens the tool of it that was used last', () => {
  expect(groupLinks(undefined, ['sora', 'grok', 'kling'])).toEqual([
    {group: 'chat', path: '/grok'},
    {group: 'image', path: '/midjourney'},
    {group: 'video', path: '/sora'},
    {group: 'music', path: '/suno'},
  ])
})

test('a tool that was used last but is turned off is not opened', () => {
  expect(groupLinks({luma: on, sora: off}, ['sora'])).toEqual([{group: 'video', path: '/luma'}])
})

test('the tool of an address', () => {
  expect(toolOfPath('/luma/history')?.id).toBe('luma')
  expect(toolOfPath('/chatgpt/conversations/1')?.id).toBe('chatgpt')
  expect(toolOfPath('/lumax')).toBeUndefined()
})
