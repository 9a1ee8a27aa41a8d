import {fireEvent, screen, within} from '@testing-library/react'
import {beforeEach, expect, test} from 'vitest'
import type {Media} from '#features/media/media.context.ts'
import {klingTask, openKling, useWidth} from './open-screen.tsx'

beforeEach(() => void useWidth(1_440))

const WhatHappened: Media['WhatHappened'] = ({card, service, onClose}) => (
  <section aria-label="Flow">
    {`${service} ${card.id}`}
    <button type="button" onClick={onClose}>
      End
    </button>
  </section>
)

test('what happened to a task is in the first menu of its card', async () => {
  const {media} = await openKling({tasks: [klingTask('a')]})
  Object.assign(media, {WhatHappened})
  fireEvent.click(within(await screen.findByRole('article')).getByRole('button', {name: /^More/}))
  fireEvent.click(await screen.findByRole('menuitem', {name: 'What happened'}))
  expect((await screen.findByRole('region', {name: 'Flow'})).textContent).toContain('kling a')
})

test('what happened to a task opens from the details of its result, in the viewer', async () => {
  const {media} = await openKling({tasks: [klingTask('a')]})
  Object.assign(media, {WhatHappened})
  fireEvent.click(await screen.findByRole('button', {name: 'Play Result of: prompt a'}))
  const viewer = within(await screen.findByRole('dialog', {name: 'Viewer'}))
  fireEvent.click(await viewer.findByRole('button', {name: 'What happened'}))
  // the viewer lets the focus go to what stands below it in the tree
  const flow = await viewer.findByRole('region', {name: 'Flow'})
  expect(flow.textContent).toContain('kling a')
  fireEvent.click(within(flow).getByRole('button', {name: 'End'}))
  expect(viewer.queryByRole('region', {name: 'Flow'})).toBeNull()
})
