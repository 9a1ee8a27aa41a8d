import {act, screen} from '@testing-library/react'
import {expect, test} from 'vitest'
import {leaveGuard} from '#app/account/leave-guard.ts'
import {LeaveQuestion} from '#app/account/leave-question.tsx'
import {renderView} from '../shell/render.tsx'

test('a question whose page is gone before its answer lets the user go', async () => {
  const {unmount} = await renderView(<LeaveQuestion isChanged />)
  const mayGo = await act(() => [leaveGuard.get()?.()])
  await screen.findByRole('dialog', {name: 'Leave without saving?'})
  unmount()
  expect(await mayGo[0]).toBe(true)
  expect(leaveGuard.get()).toBeUndefined()
})
