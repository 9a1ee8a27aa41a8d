import {expect, test} from 'vitest'
import {CountText} from '#ui/count-text.tsx'
import {Count} from '#ui/forms/field.tsx'
import {renderView} from './render.tsx'

test('a large number is grouped', () => {
  const {container} = renderView(
    <>
      <CountText value={10_002} /> · <Count now={1_234} most={2_953} />
    </>,
  )
  expect(container.textContent).toBe('10,002 · 1,234 / 2,953')
})
