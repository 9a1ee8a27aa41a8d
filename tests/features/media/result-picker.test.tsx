import {act, fireEvent, screen, within} from '@testing-library/react'
import {beforeEach, expect, test} from 'vitest'
import {screen as klingScreen} from '#contract/media/kling.screen.ts'
import {tool as kling} from '#contract/media/kling.ts'
import {openScreen, useWidth} from './open-screen.tsx'

beforeEach(() => void useWidth(1_440))

test('many own results come a page at a time, and the keyboard goes on at the first new one', async () => {
  // as: the world holds any tool, and a form of one tool is narrower than that
  const shown = {tool: kling, screen: klingScreen} as unknown as Parameters<typeof openScreen>[0]
  const {media, actors} = await openScreen(shown)
  const all = Array.from({length: 130}, (_, index) => ({
    url: `https://cdn.example/${index}.png`,
    previewUrl: undefined,
    title: `picture ${index}`,
  }))
  media.ownResults.mockResolvedValue(all)
  const picker = screen.getAllByRole('button', {name: 'Pick from your results'})[0] ?? document.body
  // React drops a render that suspends in a synchronous act
  await act(async () => void fireEvent.click(picker))
  const dialog = within(await screen.findByRole('dialog'))
  const titles = () => dialog.getAllByRole('button', {name: /^picture/}).map(({title}) => title)
  const firsts = (count: number) => all.slice(0, count).map(({title}) => title)
  await dialog.findByRole('button', {name: 'picture 0'})
  for (const count of [60, 120]) {
    expect(titles()).toEqual(firsts(count))
    fireEvent.click(dialog.getByRole('button', {name: 'Load older'}))
    expect(document.activeElement?.getAttribute('title')).toBe(`picture ${count}`)
  }
  expect(titles()).toEqual(firsts(130))
  expect(dialog.queryByRole('button', {name: 'Load older'})).toBeNull()
  fireEvent.click(dialog.getByRole('button', {name: 'picture 129'}))
  expect(actors.generation.getSnapshot().context.form.start_image_url).toBe('https://cdn.example/129.png')
})
