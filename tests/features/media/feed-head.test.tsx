import {screen} from '@testing-library/react'
import {expect, test} from 'vitest'
import {FeedFilters} from '#features/media/feed/feed-head.tsx'
import {renderView} from '#tests/ui/render.tsx'

test('large numbers are grouped', () => {
  renderView(
    <FeedFilters
      filter="all"
      counts={{all: 10_002, busy: 0, failed: 1_000, favourites: 0}}
      onFilter={() => undefined}
    />,
  )
  expect(screen.getAllByRole('button').map(({textContent}) => textContent)).toEqual(['All10,002', 'Failed1,000'])
})
