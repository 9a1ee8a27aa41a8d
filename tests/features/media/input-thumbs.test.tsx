import {fireEvent, screen} from '@testing-library/react'
import {expect, test} from 'vitest'
import {tool as midjourney} from '#contract/media/midjourney.ts'
import {screen as midjourneyScreen} from '#contract/media/midjourney.screen.ts'
import {screen as nanobananaScreen} from '#contract/media/nanobanana.screen.ts'
import type {AnyScreen} from '#features/media/any-tool.ts'
import {InputThumbs, inputImages} from '#features/media/input-thumbs.tsx'
import {renderView} from '#tests/ui/render.tsx'

const [one, two] = ['https://cdn.example/1.png', 'https://cdn.example/2.png']
const toolText = (id: string) => id
// as: the exact form is forgotten, as the client forgets it
const anyScreen = (known: unknown) => known as AnyScreen

test('the images of a request are those of its file fields, each once and only from the web', () => {
  const screen = anyScreen(nanobananaScreen)
  const urls = (form: Record<string, unknown>) => inputImages(screen, form, toolText).map(({url}) => url)
  expect(urls({action: 'edit', image_urls: [one, two, one, 'javascript:alert(1)', 7, null]})).toEqual([one, two])
  expect(urls({action: 'edit', image_urls: null})).toEqual([])
})

test('references that stand in a prompt are found by the form that would ask for it again', () => {
  const form = midjourney.reuse?.({prompt: `${one} ${two} a boat --version 6.1`}, 'imagine') ?? {}
  expect(inputImages(anyScreen(midjourneyScreen), form, toolText).map(({url}) => url)).toEqual([one, two])
})

test('one that does not load is gone, and keeps its position', () => {
  renderView(<InputThumbs images={[one, two].map((url) => ({url, label: 'Foo'}))} />)
  const [first] = screen.getAllByRole('img', {name: 'Foo'})
  if (first === undefined) throw new Error('no picture')
  fireEvent.error(first)
  expect(screen.getAllByRole('img').map((img) => img.getAttribute('src'))).toEqual([two])
  expect(screen.getAllByRole('listitem')).toHaveLength(2)
})

test('nothing stands where nothing went in', () => {
  const {container} = renderView(<InputThumbs images={[]} />)
  expect(container.querySelector('ul')).toBeNull()
})
