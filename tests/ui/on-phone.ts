import {onTestFinished, vi} from 'vitest'

/** Until the end of the test the screen is as narrow as that of a phone. */
export function onPhone(): void {
  const match = vi.spyOn(window, 'matchMedia').mockImplementation(
    (query) =>
      // as: what the view needs of it
      ({
        matches: query.includes('max-width'),
        addEventListener: () => {},
        removeEventListener: () => {},
      }) as unknown as MediaQueryList,
  )
  onTestFinished(() => match.mockRestore())
}
