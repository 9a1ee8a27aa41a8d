import {act} from '@testing-library/react'
import {Suspense} from 'react'
import {expect, onTestFinished, test} from 'vitest'
import {openLayer} from '#app/shell/open-layer.ts'
import {Layers} from '#app/shell/layers.tsx'
import {pressKey} from '#browser/key-press.ts'
import {keyBindings} from '#browser/remembered-value.ts'
import {renderView} from './ui/render.tsx'

/** Presses keys and returns the layer that they opened, which is closed before its view is loaded. */
function layerOf(init: KeyboardEventInit) {
  const layers: (string | undefined)[] = []
  act(() => {
    pressKey(new KeyboardEvent('keydown', init))
    layers.push(openLayer.get())
    openLayer.set(undefined)
  })
  return layers[0]
}

test('the settings open by their keys, which can be others', () => {
  onTestFinished(() => keyBindings.set({}))
  renderView(
    <Suspense>
      <Layers />
    </Suspense>,
  )
  const comma = {key: ',', code: 'Comma', ctrlKey: true}
  const letter = {key: 'e', code: 'KeyE', ctrlKey: true}
  expect([layerOf(comma), layerOf(letter)]).toEqual(['general', undefined])
  keyBindings.set({settings: 'Mod+E'})
  expect([layerOf(comma), layerOf(letter)]).toEqual([undefined, 'general'])
})
