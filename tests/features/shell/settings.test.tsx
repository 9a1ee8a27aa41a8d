import {screen} from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import {expect, test, vi} from 'vitest'
import {NoticesSetting} from '#features/shell/settings/notices-setting.tsx'
import {LanguageTab} from '#features/shell/settings/language-tab.tsx'
import {SettingsDialog} from '#features/shell/settings/settings-dialog.tsx'
import {matchingLanguages} from '#features/shell/settings/languages.ts'
import {ThemeChoice} from '#features/shell/settings/theme-choice.tsx'
import {locales} from '#domain/locale.ts'
import {renderView} from './render.tsx'

test('a theme applies at once', async () => {
  const onTheme = vi.fn()
  await renderView(<ThemeChoice theme="dark" onTheme={onTheme} />)
  expect((await screen.findByRole('radio', {name: 'Dark'})).getAttribute('aria-checked')).toBe('true')
  await userEvent.click(screen.getByRole('radio', {name: 'System'}))
  expect(onTheme).toHaveBeenCalledWith('system')
})

test('a browser that blocks notifications is explained at their switch, which can be tried again; one without them has none', async () => {
  const onChange = vi.fn()
  const {unmount} = await renderView(<NoticesSetting state="denied" onChange={onChange} />)
  const blocked = await screen.findByRole('switch', {name: 'Notify me in the background', checked: false})
  expect(document.getElementById(blocked.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
    'Your browser blocks notifications of this site. Allow them in its settings for this site, then turn this on again.',
  )
  await userEvent.click(blocked)
  expect(onChange).toHaveBeenCalledWith(true)
  unmount()
  await renderView(<NoticesSetting state="missing" onChange={onChange} />)
  const missing = await screen.findByRole('switch', {name: 'Notify me in the background', checked: false})
  expect(missing).toHaveProperty('disabled', true)
  expect(screen.getByText("This browser can't show notifications for this address.")).toBeTruthy()
})

test('tabs are changed by arrow keys, and the panel is that of the chosen one', async () => {
  const onTab = vi.fn()
  const tabs = (['foo', 'bar'] as const).map((id) => ({id, label: id, content: <p>content of {id}</p>}))
  await renderView(<SettingsDialog tabs={tabs} tab="foo" onTab={onTab} onClose={() => {}} />)
  const chosen = await screen.findByRole('tab', {name: 'foo', selected: true})
  expect(screen.getByRole('tabpanel', {name: 'foo'}).textContent).toBe('content of foo')
  chosen.focus()
  await userEvent.keyboard('{ArrowLeft}')
  await userEvent.click(screen.getByRole('tab', {name: 'bar'}))
  expect(onTab.mock.calls).toEqual([['bar'], ['bar']])
  expect(screen.getByRole('tab', {name: 'bar'}).tabIndex).toBe(-1)
})

const show = (onLocale: (locale: string) => void = () => {}) =>
  renderView(<LanguageTab locale="en" onLocale={onLocale} />)

test('18 languages in their own names; one applies at once', async () => {
  const onLocale = vi.fn()
  await show(onLocale)
  const languages = (await screen.findAllByRole('button')).filter((button) => button.lang !== '')
  expect(languages.map((button) => button.lang)).toEqual([...locales])
  expect(screen.getByRole('button', {name: 'English'}).getAttribute('aria-pressed')).toBe('true')
  await userEvent.click(screen.getByRole('button', {name: 'العربية'}))
  expect(onLocale).toHaveBeenCalledWith('ar')
})

test('the filter knows own and English names, without accents', async () => {
  await show()
  await userEvent.type(await screen.findByRole('searchbox'), 'espanol')
  expect(screen.getByRole('button', {name: 'Español'})).toBeVisible()
  expect(screen.queryByRole('button', {name: 'Deutsch'})).toBeNull()
  expect(matchingLanguages('greek').map(({id}) => id)).toEqual(['el'])
})

test('a filter without a match says so', async () => {
  await show()
  await userEvent.type(await screen.findByRole('searchbox'), 'klingon')
  expect(screen.getByText('No language matches.')).toBeVisible()
})
