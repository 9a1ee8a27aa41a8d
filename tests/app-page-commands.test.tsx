import {expect, test, vi} from 'vitest'
import {pageGroup} from '#app/commands/page-commands.tsx'

test('the palette leads to the links to copies where the back end makes them', () => {
  const go = vi.fn()
  const entriesOf = (offersShares: boolean) =>
    pageGroup({text: (id) => id, english: () => undefined, go}, offersShares).entries
  const find = (offersShares: boolean) =>
    entriesOf(offersShares).find(({label}) => label === 'index.commandSharedLinks')
  expect(find(false)).toBeUndefined()
  void find(true)?.run()
  expect(go).toHaveBeenCalledWith('/profile#shares')
})
