import {screen} from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import {expect, test, vi} from 'vitest'
import {SettingsDialog} from '#features/shell/settings-dialog.tsx'
import {matchingLanguages} from '#features/shell/languages.ts'
import {locales} from '#domain/locale.ts'
import {renderView} from './render.tsx'

const show = (handlers: Partial<Parameters<typeof SettingsDialog>[0]> = {}) =>
  renderView(
    <SettingsDialog
      open
      onClose={() => {}}
      theme="dark"
      onTheme={() => {}}
      locale="en"
      onLocale={() => {}}
      {...handlers}
    />,
  )

test('a theme applies at once', async () => {
  const onTheme = vi.fn()
  await show({onTheme})
  expect((await screen.findByRole('radio', {name: 'Dark'})).getAttribute('aria-checked')).toBe('true')
  await userEvent.click(screen.getByRole('radio', {name: 'System'}))
  expect(onTheme).toHaveBeenCalledWith('system')
})

test('18 languages in their own names; one applies at once', async () => {
  const onLocale = vi.fn()
  await show({onLocale})
  const languages = (await screen.findAllByRole('button')).filter((button) => button.lang !== '')
  expect(languages.map((button) => button.lang)).toEqual([...locales])
  expect(screen.getByRole('button', {name: 'English'}).getAttribute('aria-pressed')).toBe('true')
  await userEvent.click(screen.getByRole('button', {name: 'العربية'}))
  expect(onLocale).toHaveBeenCalledWith('ar')
})

test('the filter knows own and English names, without accents', async () => {
  await show()
  await userEvent.type(await screen.findByRole('searchbox'), 'espanol')
  expect(screen.getByRole('button', {name: 'Español'})).toBeDefined()
  expect(screen.queryByRole('button', {name: 'Deutsch'})).toBeNull()
  expect(matchingLanguages('greek').map(({id}) => id)).toEqual(['el'])
})

test('a filter without a match says so', async () => {
  await show()
  await userEvent.type(await screen.findByRole('searchbox'), 'klingon')
  expect(screen.getByText('No language matches.')).toBeDefined()
})
