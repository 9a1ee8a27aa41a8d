import {act, screen, within} from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import {useSelector} from '@xstate/react'
import {expect, test, vi} from 'vitest'
import {createActor, fromPromise, waitFor, type ActorRefFrom} from 'xstate'
import type {Application} from '#contract/management.ts'
import {toApiKey, type ApiKey} from '#domain/api-key.ts'
import {BalanceCard} from '#features/console/balance-card.tsx'
import {CreateKeyDialog, RevokeKeyDialog} from '#features/console/key-dialogs.tsx'
import {KeyTable} from '#features/console/key-table.tsx'
import {SnippetPanel} from '#features/console/snippet-panel.tsx'
import {apiKeysMachine} from '#machines/api-keys/api-keys.machine.ts'
import {startEnvironment} from '../../machines/environment-fixture.ts'
import {onPhone} from '../../ui/on-phone.ts'
import {renderView} from '../shell/render.tsx'
import {eventually} from '#tests/eventually.ts'
import {stopAfterTest} from '#tests/stop-after-test.ts'
import {newestFirst} from './sorting.ts'

const token = 'sk-atrium-foobarfoobarfoobar'
const application: Application = {id: 'foo', type: 'Usage', scope: 'Global', remaining_amount: 1284.5}
const apiKey: ApiKey = {
  id: 'bar',
  name: 'nightly',
  masked: 'sk-atrium-…obar',
  usedAmount: 1.5,
  createdAt: '2026-11-24T09:00:00Z',
  isOwn: false,
}
const browserKey = toApiKey(
  {id: 'baz', host: 'https://foo.example', token: 'sk-atrium-secret', masked_token: 'sk-atrium-…cret'},
  'https://foo.example',
)

type Calls = {
  create?: () => Promise<{id: string; token: string}>
  revoke?: () => Promise<void>
  read?: () => Promise<string>
}

async function open(calls: Calls = {}) {
  const actor = createActor(
    apiKeysMachine.provide({
      actors: {
        readApplication: fromPromise<Application, {applicationId: string}>(async () => application),
        createKey: fromPromise<{id: string; token: string}, {applicationId: string; name: string}>(
          () => calls.create?.() ?? Promise.resolve({id: 'new', token}),
        ),
        revokeKey: fromPromise<void, {id: string}>(() => calls.revoke?.() ?? Promise.resolve()),
        readToken: fromPromise<string, {id: string}>(() => calls.read?.() ?? Promise.resolve(token)),
      },
      actions: {refreshList: () => {}},
    }),
    {input: {applicationId: 'foo', environment: startEnvironment()}},
  ).start()
  stopAfterTest(actor)
  await waitFor(actor, (snapshot) => snapshot.matches('open'))
  const copyKey = vi.fn(async () => {})
  await renderView(<Keys actor={actor} copyKey={copyKey} />)
  return {actor, copyKey}
}

function Keys({actor, copyKey}: {actor: ActorRefFrom<typeof apiKeysMachine>; copyKey: () => Promise<void>}) {
  const snapshot = useSelector(actor, (current) => current)
  const shared = {snapshot, send: actor.send, copyKey}
  return (
    <>
      <KeyTable {...shared} keys={[apiKey, browserKey]} isStale={false} sorting={newestFirst} />
      <CreateKeyDialog {...shared} />
      <RevokeKeyDialog {...shared} apiKey={snapshot.context.revoking === 'baz' ? browserKey : apiKey} />
    </>
  )
}

const refusal = (status: number) => Object.assign(new Error('foo'), {code: 'bad_request', detail: 'foo', status})
const press = (name: string) => userEvent.click(screen.getByRole('button', {name}))

test('keys are masked; a browser key names its page and can only be revoked', async () => {
  await open()
  const cells = screen
    .getAllByRole('row')
    .slice(1)
    .map((row) => within(row).getAllByRole('cell'))
  expect(cells.map((row) => row.map(({textContent}) => textContent).slice(0, 2))).toEqual([
    ['sk-atrium-…obar', 'API key'],
    ['sk-atrium-…cret', 'https://foo.exampleThis browser'],
  ])
  expect(cells.map((row) => row[3]?.textContent)).toEqual(['1.50', '–'])
  const buttons = screen.getAllByRole('row').flatMap((row) => within(row).queryAllByRole('button'))
  expect(buttons.map((button) => button.getAttribute('aria-label') ?? button.textContent)).toEqual([
    'Created',
    'Used',
    'Show key nightly',
    'Copy key nightly',
    'Revoke key nightly',
    'Revoke key Browser key',
  ])
  expect(document.body.innerHTML).not.toContain('secret')
})

test('the dialog of a new key gives the focus back to the button that opened it', async () => {
  const user = userEvent.setup()
  const {actor} = await open()
  const opener = screen.getByRole('button', {name: 'Show key nightly'})
  opener.focus()
  act(() => actor.send({type: 'key.new'}))
  const field = await screen.findByRole('textbox')
  await eventually(() => expect(document.activeElement).toBe(field))
  await user.keyboard('{Escape}')
  await eventually(() => expect(document.activeElement).toBe(opener))
})

test('on a card a key says when it was made, and nothing of what is not known', async () => {
  onPhone()
  await open()
  const [known, unknown] = screen.getAllByRole('listitem').map(({textContent}) => textContent)
  expect(known).toContain('Created 2026-11-24')
  expect(known).toContain('Used 1.50')
  expect(unknown).not.toMatch(/Created|Used|–/)
  // known by its host: what is masked of it tells nothing more
  expect(unknown).toMatch(/^Browser keyThis browser.*https:\/\/foo\.exampleRevoke$/)
})

test('a key is shown when asked for, and hidden again; copying never shows it', async () => {
  const {copyKey} = await open()
  await press('Copy key nightly')
  expect(copyKey).toHaveBeenCalledExactlyOnceWith('bar')
  expect(document.body.textContent).not.toContain(token)
  await press('Show key nightly')
  expect(await screen.findByText(token)).toBeTruthy()
  expect(screen.getByText('Hides itself after a minute.')).toBeTruthy()
  await press('Hide key nightly')
  expect(document.body.textContent).not.toContain(token)
})

test('a key that cannot be shown says so', async () => {
  await open({read: () => Promise.reject(refusal(500))})
  await press('Show key nightly')
  expect((await screen.findByRole('alert')).textContent).toContain('This key can’t be shown.')
})

test('a new key is named, shown and forgotten', async () => {
  const {actor} = await open()
  act(() => actor.send({type: 'key.new'}))
  await userEvent.type(await screen.findByLabelText('Name (optional)'), ' weekly ')
  await press('Create key')
  const dialog = within(await screen.findByRole('dialog', {name: 'Your new key'}))
  expect(actor.getSnapshot().context.name).toBe('weekly')
  expect(dialog.getByText(token)).toBeTruthy()
  await userEvent.click(dialog.getByRole('button', {name: 'Done'}))
  expect(document.body.textContent).not.toContain(token)
})

test.each([
  ['too many keys', refusal(409), 'as many keys as it can have'],
  ['no answer', Object.assign(new Error('foo'), {name: 'TimeoutError'}), 'the key may have been created'],
  ['a refusal', refusal(400), 'The key was not created.'],
])('%s: the form stays and says why', async (_, failure, sentence) => {
  const {actor} = await open({create: () => Promise.reject(failure)})
  act(() => actor.send({type: 'key.new'}))
  await screen.findByLabelText('Name (optional)')
  await press('Create key')
  expect((await screen.findByRole('alert')).textContent).toContain(sentence)
})

test('revoking asks with the key’s name, and warns of this browser’s own key', async () => {
  const {actor} = await open()
  act(() => actor.send({type: 'key.revoke', id: 'bar'}))
  const asked = await screen.findByRole('dialog')
  expect(asked.textContent).toContain('nightly')
  expect(asked.textContent).toContain('Programs that use this key are refused at once.')
  act(() => actor.send({type: 'dialog.close'}))
  act(() => actor.send({type: 'key.revoke', id: 'baz'}))
  expect((await screen.findByRole('dialog')).textContent).toContain('This browser uses this key.')
})

test('a key that was not revoked says that it still works', async () => {
  const {actor} = await open({revoke: () => Promise.reject(refusal(500))})
  act(() => actor.send({type: 'key.revoke', id: 'bar'}))
  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', {name: 'Revoke'}))
  expect((await screen.findByRole('alert')).textContent).toContain('was not revoked and still works')
})

test('examples of each language and service, never with a key', async () => {
  await renderView(<SnippetPanel base="https://api.example" model="gpt-5" serviceId={undefined} />)
  const shown = () => screen.getByRole('figure').querySelector('code')?.textContent ?? ''
  expect(shown()).toContain("curl -sS 'https://api.example/aichat/conversations'")
  await userEvent.click(screen.getByRole('radio', {name: 'Python'}))
  await userEvent.selectOptions(screen.getByRole('combobox', {name: 'Example'}), 'Suno')
  expect(shown()).toContain('call("/suno/audios"')
  await userEvent.selectOptions(screen.getByRole('combobox', {name: 'Example'}), 'Nano Banana')
  expect(shown()).toContain('call("/nano-banana/images"')
  expect(screen.queryByText(/an image you have uploaded/)).toBeNull()
  await userEvent.selectOptions(screen.getByRole('combobox', {name: 'Example'}), 'Headshots')
  expect(screen.getByText(/an image you have uploaded/).textContent).toContain('https://example.com/portrait.jpg')
  expect(shown()).toContain('ATRIUM_API_KEY')
})

test('an application of one service has its example alone, of another service none', async () => {
  const sora = 'b0761231-74e6-42d3-a095-c1987a61e900'
  const {container} = await renderView(<SnippetPanel base="https://api.example" model="gpt-5" serviceId={sora} />)
  expect(screen.getByRole('figure').textContent).toContain('/sora/videos')
  expect(screen.queryByRole('combobox')).toBeNull()
  container.remove()
  const {container: other} = await renderView(<SnippetPanel base="https://api.example" model="gpt-5" serviceId="foo" />)
  expect(other.querySelector('figure')).toBeNull()
})

test('the balance of the general application leads to more credits', async () => {
  await renderView(<BalanceCard application={application} addLink={<a href="/foo">Add credits</a>} />)
  expect(screen.getByRole('region', {name: 'General balance'}).textContent).toBe(
    'General balance1,284.50credits · Never expiresAdd credits',
  )
})
