import {useActor} from '@xstate/react'
import {cleanup, fireEvent, screen, within} from '@testing-library/react'
import {afterEach, expect, test} from 'vitest'
import {fromPromise} from 'xstate'
import type {ShareLink} from '#contract/shares.ts'
import {ShareDialog} from '#features/share/share-dialog.tsx'
import {LoadedLinks, ShareList} from '#features/share/share-list.tsx'
import {
  shareLinksMachine,
  type LinkList,
  type NewLink,
  type RenewedLink,
  type ShareLinksInput,
} from '#machines/share-links/share-links.machine.ts'
import {settledBy} from './machines/pending-deletions-fixture.ts'
import {renderView} from '#tests/ui/render.tsx'

afterEach(cleanup)

const linkOf = (name: string, attachments: boolean): ShareLink => ({
  id: name.padEnd(22, 'x'),
  conversation_id: 'foo',
  attachments,
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
})
const [withFiles, withoutFiles] = [linkOf('with', true), linkOf('without', false)]

/**
 * The dialog of a conversation, with a file or without one, and with the links that `read` finds; or the list of all
 * links. `getsFile`: one comes meanwhile from another tab. `updates`, `creations`: what the server was asked for.
 */
function show(read: () => Promise<readonly ShareLink[]>, {isDialog = true, hasFiles = true, getsFile = false} = {}) {
  const updates: RenewedLink[] = []
  const creations: NewLink[] = []
  const logic = shareLinksMachine.provide({
    actors: {
      readLinks: fromPromise<LinkList, ShareLinksInput>(async () => ({links: await read(), hasFiles})),
      pendingDeletions: settledBy('always done').logic,
      renewLink: fromPromise<ShareLink, RenewedLink>(({input}) => {
        updates.push(input)
        return Promise.resolve({...linkOf(input.id, input.attachments), ...(getsFile && {files: true})})
      }),
      makeLink: fromPromise<ShareLink, NewLink>(({input}) => {
        creations.push(input)
        return Promise.resolve(linkOf('made', input.attachments))
      }),
      revokeLink: fromPromise<void, {id: string}>(() => Promise.resolve()),
    },
  })
  function View() {
    const [snapshot, send] = useActor(logic, {input: {conversation: isDialog ? 'foo' : undefined}})
    const common = {snapshot, send, addressOf: (id: string) => id}
    return isDialog ? (
      <ShareDialog {...common} onClose={() => undefined} />
    ) : (
      <LoadedLinks {...common}>
        <ShareList {...common} label="foo" titled />
      </LoadedLinks>
    )
  }
  renderView(<View />)
  return {updates, creations}
}

const attachments = () => screen.getByRole<HTMLInputElement>('switch', {name: 'Show attachments'})
const rowOf = async ({id}: ShareLink) => within((await screen.findByText(id)).closest('li') ?? document.body)
const update = async (link: ShareLink) => {
  fireEvent.click((await rowOf(link)).getByRole('button', {name: 'Update'}))
  await screen.findByText('The link shows the conversation as it is now.')
}

test.each([true, false])('a link whose files are gone says that it has none; dialog: %s', async (isDialog) => {
  show(
    () =>
      Promise.resolve([
        {...withFiles, files: true, shows_files: false},
        {...withoutFiles, files: true, shows_files: false},
      ]),
    {
      isDialog,
    },
  )
  for (const link of [withFiles, withoutFiles]) (await rowOf(link)).getByText(/without attachments/)
  const notes = () => screen.queryAllByText(/With the next update/)
  expect(notes()).toEqual([])
  // no update brings them back; those of the other link may be there
  if (isDialog) fireEvent.click(attachments())
  expect(notes()).toHaveLength(isDialog ? 1 : 0)
})

test('the switch is there once the links say how it stands, and never moves by itself', async () => {
  const answers: ((links: Promise<readonly ShareLink[]>) => void)[] = []
  show(() => new Promise((resolve) => answers.push(resolve)))
  await screen.findByRole('dialog')
  expect(screen.queryByRole('switch')).toBeNull()
  answers[0]?.(Promise.reject(new Error('foo')))
  fireEvent.click(await screen.findByRole('button', {name: 'Retry'}))
  expect(screen.queryByRole('switch')).toBeNull()
  answers[1]?.(Promise.resolve([withFiles]))
  await rowOf(withFiles)
  expect(attachments().checked).toBe(true)
})

test.each([
  ['off', 'no link is there', []],
  ['on', 'all links show them', [withFiles, linkOf('also', true)]],
  ['off', 'the links differ', [withFiles, withoutFiles]],
])('an untouched switch is %s where %s, and a new link is as it says', async (position, _case, links) => {
  const {creations} = show(() => Promise.resolve(links))
  expect((await screen.findByRole<HTMLInputElement>('switch')).checked).toBe(position === 'on')
  fireEvent.click(screen.getByRole('button', {name: 'Make link'}))
  await screen.findByText('The link is there.')
  expect(creations).toEqual([{conversation: 'foo', attachments: position === 'on'}])
  expect(attachments().checked).toBe(position === 'on')
})

test.each([withFiles, withoutFiles])('the switch is as the link has it, and an update keeps that', async (link) => {
  const {updates} = show(() => Promise.resolve([link]))
  const row = await rowOf(link)
  expect(attachments().checked).toBe(link.attachments)
  expect(row.queryByText(/With the next update/)).toBeNull()
  await update(link)
  expect(updates).toEqual([{id: link.id, attachments: link.attachments}])
})

test.each([
  [withoutFiles, 'With the next update, readers see the attachments.'],
  [withFiles, 'With the next update, readers no longer see the attachments.'],
])('an update does what the switch says, and the row says so before', async (link, said) => {
  const {updates} = show(() => Promise.resolve([link]))
  const row = await rowOf(link)
  fireEvent.click(attachments())
  expect(row.getByText(said)).toBeDefined()
  expect(row.getByRole('button', {name: 'Update', description: said})).toBeDefined()
  await update(link)
  expect(updates).toEqual([{id: link.id, attachments: !link.attachments}])
  expect((await rowOf(link)).queryByText(said)).toBeNull()
  expect((await rowOf(link)).getByText(/· with/).textContent).toContain(
    link.attachments ? 'without attachments' : 'with attachments',
  )
  expect(attachments().checked).toBe(!link.attachments)
})

test('an untouched switch shows no files that a link of the conversation did not show', async () => {
  const {updates} = show(() => Promise.resolve([withFiles, withoutFiles]))
  await rowOf(withFiles)
  expect(attachments().checked).toBe(false)
  await update(withoutFiles)
  expect(updates).toEqual([{id: withoutFiles.id, attachments: false}])
})

test('the switch stays where it stands when a link is revoked', async () => {
  show(() => Promise.resolve([withFiles, withoutFiles]))
  const row = await rowOf(withoutFiles)
  fireEvent.click(row.getByRole('button', {name: 'Revoke'}))
  fireEvent.click(row.getByRole('button', {name: 'Revoke'}))
  await screen.findByText('The link is revoked.')
  expect(attachments().checked).toBe(false)
})

test('where no switch is, an update keeps what each link has', async () => {
  const {updates} = show(() => Promise.resolve([withFiles, withoutFiles]), {isDialog: false})
  await update(withFiles)
  await update(withoutFiles)
  expect(updates).toEqual([withFiles, withoutFiles].map((link) => ({id: link.id, attachments: link.attachments})))
})

test('where the conversation has no file, nothing is said of attachments, and a new link shows none', async () => {
  const link = {...withFiles, files: false}
  const {creations, updates} = show(() => Promise.resolve([link]), {hasFiles: false})
  await rowOf(link)
  expect(screen.queryByRole('switch')).toBeNull()
  expect(screen.getByRole('dialog').textContent).not.toMatch(/attachment|files/i)
  await update(link)
  fireEvent.click(screen.getByRole('button', {name: 'Make link'}))
  await screen.findByText('The link is there.')
  // a file may come, and be shown with an update in the list of all links
  expect([updates, creations]).toEqual([
    [{id: link.id, attachments: true}],
    [{conversation: 'foo', attachments: false}],
  ])
})

test.each([true, false])('a link whose copy has no file says nothing of attachments; dialog: %s', async (isDialog) => {
  const link = {...withFiles, files: false}
  show(() => Promise.resolve([link, withoutFiles]), {isDialog})
  expect((await rowOf(link)).queryByText(/attachments/)).toBeNull()
  expect((await rowOf(withoutFiles)).getByText(/· without attachments/)).toBeDefined()
})

test('a link whose copy has no file says that an update shows those of the conversation', async () => {
  const link = {...withFiles, files: false}
  show(() => Promise.resolve([link]))
  const row = await rowOf(link)
  expect(row.getByText('With the next update, readers see the attachments.')).toBeDefined()
  fireEvent.click(attachments())
  expect(row.queryByText(/With the next update/)).toBeNull()
})

test('the switch that comes with a file stands as the links have it', async () => {
  const link = {...withFiles, files: false}
  const {updates} = show(() => Promise.resolve([link]), {hasFiles: false, getsFile: true})
  await rowOf(link)
  await update(link)
  expect((await screen.findByRole<HTMLInputElement>('switch')).checked).toBe(true)
  await update(link)
  expect(updates.map((each) => each.attachments)).toEqual([true, true])
})
