import {screen} from '@testing-library/react'
import {expect, test} from 'vitest'
import {SitePage} from '#features/site/site-page.tsx'
import {renderView} from '../shell/render.tsx'

const rows = (card: string) =>
  [...(screen.getByRole('heading', {level: 2, name: card}).parentElement?.querySelectorAll('dl > div') ?? [])].map(
    (row) => [row.querySelector('dt')?.textContent, row.querySelector('dd')?.textContent],
  )

test('tools go by their names in the order of the app, then features of another back end by their ids', async () => {
  const on = {enabled: true}
  const features = {qrart: on, foo: on, nanobanana: {enabled: false}, constructor: on, chatgpt: on, support: {}}
  await renderView(<SitePage site={{id: '1', features}} status="ready" onRetry={() => {}} />)
  expect(rows('Tools')).toEqual([
    ['ChatGPT', 'On'],
    ['Nano Banana', 'Off'],
    ['QR Art', 'On'],
    ['foo', 'On'],
    ['constructor', 'On'],
    ['Support', 'Off'],
  ])
})

test('a user who may not change the site reads what it says, without a field or a button to save', async () => {
  await renderView(<SitePage site={{id: '1', title: 'Foo'}} status="ready" isReadOnly onRetry={() => {}} />)
  expect(screen.getByText('Only admins of this site can change these settings.')).toBeTruthy()
  expect(screen.getByText('Foo')).toBeTruthy()
  expect([...screen.queryAllByRole('textbox'), ...screen.queryAllByRole('button')]).toEqual([])
})
