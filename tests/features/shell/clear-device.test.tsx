import {useActor} from '@xstate/react'
import {act, screen} from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import {useState} from 'react'
import {expect, test, vi} from 'vitest'
import {DataTab} from '#features/shell/settings/data-tab.tsx'
import {callOf} from '#machines/call/call.machine.ts'
import {renderView} from '#tests/ui/render.tsx'

/** The tab over the chart that runs `clear`. */
function Data({clear}: {clear: () => Promise<void>}) {
  const [logic] = useState(() => callOf(clear))
  const [snapshot, send] = useActor(logic, {input: {deadline: 60_000}})
  return (
    <DataTab
      profileLink={undefined}
      onImport={undefined}
      exportButton={undefined}
      shares={<p>None</p>}
      clearing={{snapshot, send}}
    />
  )
}

function show() {
  const runs: {done: () => void; fail: (error: Error) => void}[] = []
  const clear = vi.fn(() => new Promise<void>((done, fail) => runs.push({done, fail})))
  renderView(<Data clear={clear} />)
  return {runs, clear}
}

const press = (name: string) => userEvent.click(screen.getByRole('button', {name}))
const isOff = (name: string) => screen.getByRole('button', {name}).hasAttribute('disabled')

test('the device is cleared when the question is answered, not before, and not when it is left', async () => {
  const {clear} = show()
  await press('Clear this device')
  expect(screen.getByRole('alert').textContent).toContain('Clear it now?')
  await press('Cancel')
  expect(screen.queryByRole('alert')).toBeNull()
  expect(clear).not.toHaveBeenCalled()

  await press('Clear this device')
  await press('Clear this device')
  expect(clear).toHaveBeenCalledOnce()
  expect([isOff('Clear this device'), isOff('Cancel')]).toEqual([true, true])
})

test('what stays on the device is said, and clearing can be tried again', async () => {
  const {runs, clear} = show()
  await press('Clear this device')
  await press('Clear this device')
  await act(async () => runs[0]?.fail(new Error('in use')))
  expect(screen.getByRole('alert').textContent).toContain('Not everything could be cleared.')
  await press('Clear this device')
  expect(clear).toHaveBeenCalledTimes(2)
  expect([isOff('Clear this device'), isOff('Cancel')]).toEqual([true, true])
  await act(async () => runs[1]?.done())
  expect(screen.getByRole('alert').textContent).not.toContain('Not everything could be cleared.')
})

test('the links to copies are listed, also where nothing is imported or exported', () => {
  show()
  expect(screen.getByRole('heading', {name: 'Shared links'})).toBeVisible()
  expect(screen.getByText('None')).toBeVisible()
})
