import {fireEvent} from '@testing-library/react'
import {expect, test} from 'vitest'
import {Avatar} from '#ui/avatar.tsx'
import {ImageOr} from '#ui/image-or.tsx'
import {renderView} from './render.tsx'

const imageIn = (container: HTMLElement) => {
  const image = container.querySelector('img')
  if (image === null) throw new Error('no image is shown')
  return image
}

test('an image that cannot be shown gives way to the next, the last one to what stands for it', () => {
  const {container} = renderView(<ImageOr sources={[undefined, '/logo.png', '', '/icon.png']}>mark</ImageOr>)
  expect(imageIn(container).getAttribute('src')).toBe('/logo.png')
  fireEvent.error(imageIn(container))
  expect(imageIn(container).getAttribute('src')).toBe('/icon.png')
  fireEvent.error(imageIn(container))
  expect([container.querySelector('img'), container.textContent]).toEqual([null, 'mark'])
})

test('an avatar without an image to show is the letter of its name', () => {
  const {container} = renderView(<Avatar name="ada" source="/gone.png" />)
  expect(container.textContent).toBe('')
  fireEvent.error(imageIn(container))
  expect(container.textContent).toBe('A')
})
