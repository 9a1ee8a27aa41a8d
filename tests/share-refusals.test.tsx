import {cleanup, render, screen} from '@testing-library/react'
import {afterEach, expect, test, vi} from 'vitest'
import {createActor, fromPromise, waitFor} from 'xstate'
import type {ShareLink} from '#contract/shares.ts'
import {ShareList} from '#features/share/share-list.tsx'
import {
  shareLinksMachine,
  type LinkList,
  type RenewedLink,
  type ShareLinksInput,
} from '#machines/share-links/share-links.machine.ts'
import {settledBy} from './machines/pending-deletions-fixture.ts'
import {LanguageProvider} from '#ui/language.tsx'

/* The list of shared links shows ids of messages when a link could not be changed: the test has no messages. */

afterEach(cleanup)

const link: ShareLink = {
  id: 'foo'.padEnd(22, 'x'),
  conversation_id: 'foo',
  attachments: true,
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
}

test.each([
  ['api_error', 500, 'share.changeFailed'],
  ['timeout', undefined, 'share.changeFailed'],
  ['busy', 503, 'api.busy'],
  ['conflict', 409, 'a sentence of the server'],
])('a refusal of code %s blames no model', async (code, status, said) => {
  const actor = createActor(
    shareLinksMachine.provide({
      actors: {
        readLinks: fromPromise<LinkList, ShareLinksInput>(() => Promise.resolve({links: [link], hasFiles: true})),
        pendingDeletions: settledBy('always done').logic,
        renewLink: fromPromise<ShareLink, RenewedLink>(() =>
          Promise.reject(Object.assign(new Error('foo'), {code, status, detail: 'a sentence of the server'})),
        ),
      },
    }),
    {input: {conversation: 'foo'}},
  ).start()
  await waitFor(actor, (snapshot) => snapshot.matches('resting'))
  actor.send({type: 'link.renew', id: link.id, attachments: true})
  const snapshot = await waitFor(actor, ({context}) => context.failure !== undefined)
  render(
    <LanguageProvider locale="en" messages={{}} onError={vi.fn()}>
      <ShareList snapshot={snapshot} send={actor.send} label="foo" addressOf={(id) => id} />
    </LanguageProvider>,
  )
  expect(screen.getByRole('alert').textContent).toBe(said)
})
