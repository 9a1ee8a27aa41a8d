import {afterEach, expect, test, vi} from 'vitest'
import {followSystemTheme} from '#app/share/system-theme.ts'

let end = () => {}
afterEach(() => {
  end()
  vi.restoreAllMocks()
  document.cookie = 'THEME=; Path=/; Max-Age=0'
  delete document.documentElement.dataset.theme
  document.documentElement.classList.remove('dark')
})

/** A page that was shown dark, and what its system changes to. */
function follow() {
  const scheme = new EventTarget()
  // as: of a media query this reads nothing else
  vi.spyOn(window, 'matchMedia').mockReturnValue(Object.assign(scheme, {matches: false}) as unknown as MediaQueryList)
  document.documentElement.dataset.theme = 'dark'
  end = followSystemTheme(window)
  return (theme: 'light' | 'dark') => {
    scheme.dispatchEvent(Object.assign(new Event('change'), {matches: theme === 'light'}))
    return document.documentElement.dataset.theme
  }
}

test('the page of a reader follows its system while it is open', () => {
  const change = follow()
  expect([change('light'), change('dark')]).toEqual(['light', 'dark'])
})

test('a theme that was chosen stays', () => {
  document.cookie = 'THEME=dark; Path=/'
  expect(follow()('light')).toBe('dark')
})
