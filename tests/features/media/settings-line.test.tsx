import {expect, test} from 'vitest'
import {defaultsOf, type AnyForm} from '#features/media/any-tool.ts'
import {settingsLine} from '#features/media/settings-line.ts'
import {screen as flux} from '#contract/media/flux.screen.ts'
import {tool as fluxTool} from '#contract/media/flux.ts'
import {screen as headshots} from '#contract/media/headshots.screen.ts'
import {tool as headshotsTool} from '#contract/media/headshots.ts'
import type {ToolScreen} from '#contract/media/media-screen.ts'
import type {MediaTool} from '#contract/media/media-tool.ts'

const lineOf = (tool: Pick<MediaTool, 'form'>, screen: unknown, form: AnyForm) =>
  // as: a screen of one tool is one of any
  settingsLine(screen as ToolScreen, {...defaultsOf(tool), ...form}, (id) => id)

test('a bare count says nothing and is left out', () => {
  expect(lineOf(fluxTool, flux, {count: 4, aspect_ratio: '3:2'})).toEqual(['3:2', 'common.mediaCreate', 'Flux Dev'])
})

test('the tile that was chosen is named', () => {
  expect(lineOf(headshotsTool, headshots, {template: ''})).toEqual(['common.mediaFast'])
  expect(lineOf(headshotsTool, headshots, {template: 'wedding'})).toEqual(['templateWedding', 'common.mediaFast'])
})
