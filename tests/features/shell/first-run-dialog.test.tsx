import {screen, waitFor} from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import {expect, test, vi} from 'vitest'
import {FirstRunDialog} from '#features/shell/first-run-dialog.tsx'
import {renderView} from './render.tsx'

const props = {
  open: true,
  siteTitle: 'Foo',
  termsLink: 'https://platform.example/terms',
  applying: false,
  failure: undefined,
  onStart: () => {},
  onClose: () => {},
}

test('the terms are preset and linked; start applies', async () => {
  const onStart = vi.fn()
  await renderView(<FirstRunDialog {...props} onStart={onStart} />)
  const box = await screen.findByRole('checkbox', {name: /agree/i})
  expect(box).toHaveProperty('checked', true)
  expect(screen.getByRole('link', {name: 'terms of use'}).getAttribute('href')).toBe('https://platform.example/terms')
  await userEvent.click(screen.getByRole('button', {name: 'Agree and start'}))
  expect(onStart).toHaveBeenCalledTimes(1)
})

test('without the terms nothing starts and the reason is said', async () => {
  const onStart = vi.fn()
  await renderView(<FirstRunDialog {...props} onStart={onStart} />)
  await userEvent.click(await screen.findByRole('checkbox'))
  await userEvent.click(screen.getByRole('button', {name: 'Agree and start'}))
  expect(onStart).not.toHaveBeenCalled()
  expect(screen.getByRole('alert').textContent).toBe('Agree to the terms to start.')
  await userEvent.click(screen.getByRole('checkbox'))
  expect(screen.queryByRole('alert')).toBeNull()
})

test('a failed attempt shows its code and can be repeated', async () => {
  const onStart = vi.fn()
  await renderView(<FirstRunDialog {...props} failure="busy" onStart={onStart} />)
  expect((await screen.findByRole('alert')).textContent).toContain('busy')
  await userEvent.click(screen.getByRole('button', {name: 'Agree and start'}))
  expect(onStart).toHaveBeenCalledTimes(1)
})

test('while it applies the button does nothing', async () => {
  const onStart = vi.fn()
  await renderView(<FirstRunDialog {...props} applying onStart={onStart} />)
  const button = await screen.findByRole('button', {name: 'Agree and start'})
  expect(button.getAttribute('aria-disabled')).toBe('true')
  await userEvent.click(button)
  expect(onStart).not.toHaveBeenCalled()
})

test('one can look around first', async () => {
  const onClose = vi.fn()
  await renderView(<FirstRunDialog {...props} onClose={onClose} />)
  await userEvent.click(await screen.findByRole('button', {name: 'Look around first'}))
  expect(onClose).toHaveBeenCalledTimes(1)
})

test('closed it shows nothing', async () => {
  await renderView(<FirstRunDialog {...props} open={false} />)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})
