import {useActor} from '@xstate/react'
import {cleanup, fireEvent, screen} from '@testing-library/react'
import {afterEach, expect, test, vi} from 'vitest'
import {createActor, fromPromise, waitFor} from 'xstate'
import type {ShareLink} from '#contract/shares.ts'
import {LoadedLinks, ShareList} from '#features/share/share-list.tsx'
import {
  shareLinksMachine,
  type LinkList,
  type ShareLinks,
  type ShareLinksInput,
} from '#machines/share-links/share-links.machine.ts'
import {settledBy} from './machines/pending-deletions-fixture.ts'
import {renderView} from '#tests/ui/render.tsx'

afterEach(cleanup)

const link: ShareLink = {
  id: 'foo'.padEnd(22, 'x'),
  conversation_id: 'foo',
  attachments: true,
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
}

test('the focus comes back to the button whose question was cancelled', async () => {
  const actor = createActor(
    shareLinksMachine.provide({
      actors: {
        readLinks: fromPromise<LinkList, ShareLinksInput>(() => Promise.resolve({links: [link], hasFiles: true})),
        pendingDeletions: settledBy('always done').logic,
      },
    }),
    {input: {conversation: 'foo'}},
  ).start()
  const snapshot = await waitFor(actor, (state) => state.matches('resting'))
  renderView(<ShareList snapshot={snapshot} send={vi.fn()} label="foo" addressOf={(id) => id} />)
  const revoke = () => screen.getByRole('button', {name: 'Revoke'})
  fireEvent.click(revoke())
  expect(document.activeElement).toBe(revoke())
  fireEvent.keyDown(revoke(), {key: 'Escape'})
  expect(screen.queryByRole('alert')).toBeNull()
  expect(document.activeElement).toBe(revoke())
  fireEvent.click(revoke())
  fireEvent.click(screen.getByRole('button', {name: 'Cancel'}))
  expect(document.activeElement).toBe(revoke())
  actor.stop()
})

test('the line that says a link is revoked has the focus of its button', async () => {
  const logic = shareLinksMachine.provide({
    actors: {
      readLinks: fromPromise<LinkList, ShareLinksInput>(() => Promise.resolve({links: [link], hasFiles: true})),
      pendingDeletions: settledBy('always done').logic,
      revokeLink: fromPromise<void, {id: string}>(() => Promise.resolve()),
    },
  })
  function View() {
    const [snapshot, send] = useActor(logic, {input: {conversation: 'foo'}})
    const links: ShareLinks = {snapshot, send}
    return (
      <LoadedLinks {...links}>
        <ShareList {...links} label="foo" addressOf={(id) => id} />
      </LoadedLinks>
    )
  }
  renderView(<View />)
  fireEvent.click(await screen.findByRole('button', {name: 'Revoke'}))
  fireEvent.click(screen.getByRole('button', {name: 'Revoke'}))
  const line = await screen.findByText('The link is revoked.')
  expect([line.role, document.activeElement]).toEqual(['status', line])
  expect(screen.queryByRole('button')).toBeNull()
})
