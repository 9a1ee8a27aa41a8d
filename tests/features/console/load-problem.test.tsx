import {screen} from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import {expect, test, vi} from 'vitest'
import {LoadProblem} from '#features/console/load-problem.tsx'
import {renderView} from '../shell/render.tsx'

const show = (status: number, onRetry = () => {}) =>
  renderView(<LoadProblem failure={{code: 'foo', detail: 'bar', status}} missing="order.notFound" onRetry={onRetry} />)

test('what is not there is named, and not asked for again', async () => {
  await show(404)
  expect(screen.getByRole('alert').textContent).toBe('There is no such order.')
  expect(screen.queryByRole('button')).toBeNull()
})

test('what could not be read says so and can be read again', async () => {
  const onRetry = vi.fn()
  await show(500, onRetry)
  expect(screen.getByRole('alert').textContent).toContain('Something went wrong. Try again in a moment.')
  await userEvent.click(screen.getByRole('button', {name: 'Retry'}))
  expect(onRetry).toHaveBeenCalledOnce()
})
