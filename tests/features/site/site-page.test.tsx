import {screen} from '@testing-library/react'
import {expect, test} from 'vitest'
import {SitePage} from '#features/site/site-page.tsx'
import {renderView} from '../shell/render.tsx'

const rows = (card: string) =>
  [...(screen.getByRole('heading', {level: 2, name: card}).parentElement?.querySelectorAll('dl > div') ?? [])].map(
    (row) => [row.querySelector('dt')?.textContent, row.querySelector('dd')?.textContent],
  )

test('tools go by their names; a feature of another back end by its id', async () => {
  const on = {enabled: true}
  const features = {chatgpt: on, nanobanana: {enabled: false}, qrart: on, support: {}, constructor: on, foo: on}
  await renderView(<SitePage site={{id: '1', features}} status="ready" onRetry={() => {}} />)
  expect(rows('Tools')).toEqual([
    ['ChatGPT', 'On'],
    ['Nano Banana', 'Off'],
    ['QR Art', 'On'],
    ['Support', 'Off'],
    ['constructor', 'On'],
    ['foo', 'On'],
  ])
})
