import {cleanup, screen, within} from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import {useSelector} from '@xstate/react'
import type {ReactElement} from 'react'
import {expect, test, vi} from 'vitest'
import {createActor, fromPromise, waitFor} from 'xstate'
import type {User} from '#contract/management.ts'
import type {ProfileChanges} from '#domain/profile.ts'
import {AccountData} from '#features/profile/account-data.tsx'
import {PasswordDialog} from '#features/profile/password-dialog.tsx'
import {ProfileForm} from '#features/profile/profile-form.tsx'
import {SessionList} from '#features/profile/session-list.tsx'
import {VerifyButton} from '#features/profile/verification.tsx'
import {callOf, type CallHandle, type CallValues} from '#machines/call/call.machine.ts'
import {profileFormMachine} from '#machines/profile-form/profile-form.machine.ts'
import {renderView} from '../shell/render.tsx'
import {stopAfterTest} from '#tests/stop-after-test.ts'
import {eventually} from '../../eventually.ts'

type Refusal = {code: string; status: number; field?: string; retryAfterSeconds?: number}

/** A request whose last attempt was refused, or one that is not made yet. */
async function requestAfter(refusal?: Refusal, {isOpen = false} = {}): Promise<CallHandle> {
  const actor = createActor(
    callOf(() => Promise.reject(Object.assign(new Error('foo'), {detail: 'foo', ...refusal}))),
    {input: {deadline: 1_000}},
  ).start()
  if (isOpen) actor.send({type: 'call.open'})
  if (refusal !== undefined) {
    actor.send({type: 'call.send'})
    await waitFor(actor, (snapshot) => snapshot.matches('open'))
  }
  return {snapshot: actor.getSnapshot(), send: vi.fn()}
}

const chrome = 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36'
const sessions = [
  {id: 'other', current: false, agent: '<i>my fridge</i>', refreshed_at: '2026-11-24T09:00:00Z'},
  {id: 'mine', current: true, agent: chrome, created_at: '2026-11-24T08:00:00Z'},
]

test('this device stands first and has no button; another one is ended by its own', async () => {
  const end = await requestAfter()
  await renderView(<SessionList sessions={sessions} isStale={false} end={end} />)
  const [mine, other] = screen.getAllByRole('listitem')
  expect(mine?.textContent).toContain('Chrome on WindowsThis device')
  expect(within(mine as HTMLElement).queryByRole('button')).toBeNull()
  expect(other?.textContent).toContain('Unknown device')
  expect(document.body.textContent).not.toContain('fridge')
  await userEvent.click(screen.getByRole('button', {name: 'Sign out Unknown device'}))
  expect(end.send).toHaveBeenCalledExactlyOnceWith({type: 'call.send', subject: 'other'})
})

test('that a device could not be signed out is said, and why', async () => {
  const end = await requestAfter({code: 'busy', status: 503})
  await renderView(<SessionList sessions={sessions} isStale={false} end={end} />)
  expect(screen.getByRole('alert').textContent).toBe(
    "That device couldn't be signed out. The server is busy. Try again in a moment.",
  )
})

const refuse = (field: string) => () =>
  Promise.reject(Object.assign(new Error('foo'), {code: 'bad_request', detail: 'foo', status: 400, field}))

/** Shows a dialog; `attempt` is each of its calls. */
async function showCall(attempt: (values: CallValues) => Promise<void>, view: (call: CallHandle) => ReactElement) {
  const actor = createActor(
    callOf(({values}) => attempt(values)),
    {input: {deadline: 1_000}},
  ).start()
  stopAfterTest(actor)
  actor.send({type: 'call.open'})
  function View() {
    return view({snapshot: useSelector(actor, (snapshot) => snapshot), send: actor.send})
  }
  await renderView(<View />)
  return within(await screen.findByRole('dialog'))
}

type Dialog = Awaited<ReturnType<typeof showCall>>

async function changePassword(dialog: Dialog) {
  await userEvent.type(dialog.getByLabelText('Current password'), 'foo')
  await userEvent.type(dialog.getByLabelText('New password'), 'another password')
  await userEvent.type(dialog.getByLabelText('New password again'), 'another password{Enter}')
}

test('a wrong password gets the focus and the message, until it is another one', async () => {
  const dialog = await showCall(refuse('current_password'), (call) => <PasswordDialog {...call} />)
  const current = dialog.getByLabelText('Current password')
  await changePassword(dialog)
  expect(await dialog.findByText("This isn't your password.")).toBeTruthy()
  expect(document.activeElement).toBe(current)
  await userEvent.type(current, 'bar')
  expect(dialog.queryByText("This isn't your password.")).toBeNull()
})

test('a wrong code of an address gets the focus and the message, until it is another one', async () => {
  const dialog = await showCall(refuse('code'), (call) => <VerifyButton email="foo@example.test" {...call} />)
  const code = dialog.getByLabelText('Code')
  await userEvent.type(code, 'FOO')
  await userEvent.click(dialog.getByRole('button', {name: 'Verify'}))
  expect(await dialog.findByText('This is not the code of your address.')).toBeTruthy()
  expect(document.activeElement).toBe(code)
  await userEvent.type(code, 'BAR')
  expect(dialog.queryByText('This is not the code of your address.')).toBeNull()
})

test('the code of an address is sent as it was typed, without spaces around it, and its dialog closes', async () => {
  const attempt = vi.fn(async (_values: CallValues) => {})
  const dialog = await showCall(attempt, (call) => <VerifyButton email="foo@example.test" {...call} />)
  expect(dialog.getByText(/foo@example\.test/)).toBeTruthy()
  await userEvent.type(dialog.getByLabelText('Code'), ' foo {Enter}')
  await eventually(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(attempt).toHaveBeenCalledExactlyOnceWith({code: 'foo'})
})

const neverEnds = () => new Promise<void>(() => {})
const showDeletion = async (attempt: () => Promise<void>) => {
  const exporting = await requestAfter()
  return showCall(attempt, (call) => <AccountData email="foo@example.test" exporting={exporting} deleting={call} />)
}

test('a change of the password that is on its way cannot be left: the user would not learn how it ended', async () => {
  const dialog = await showCall(neverEnds, (call) => <PasswordDialog {...call} />)
  await changePassword(dialog)
  expect(dialog.queryByRole('button', {name: 'Close'})).toBeNull()
  await userEvent.keyboard('{Escape}')
  expect(dialog.getByLabelText('Current password')).toBeTruthy()
})

test('a refusal finds the values that it refuses: nothing is typed into the fields while a call runs', async () => {
  const fieldsOf = (dialog: Dialog) =>
    dialog.getAllByLabelText<HTMLInputElement>(/password|Code|confirm/i).map(({readOnly}) => readOnly)
  const change = await showCall(neverEnds, (call) => <PasswordDialog {...call} />)
  expect(fieldsOf(change)).toEqual([false, false, false])
  await changePassword(change)
  expect(fieldsOf(change)).toEqual([true, true, true])
  cleanup()
  const verification = await showCall(neverEnds, (call) => <VerifyButton email="foo@example.test" {...call} />)
  await userEvent.type(verification.getByLabelText('Code'), 'FOO{Enter}')
  expect(fieldsOf(verification)).toEqual([true])
  cleanup()
  const deletion = await showDeletion(neverEnds)
  await userEvent.type(deletion.getByLabelText(/to confirm$/), 'foo@example.test')
  await userEvent.type(deletion.getByLabelText('Password'), 'secret{Enter}')
  expect(fieldsOf(deletion)).toEqual([true, true])
})

test('the name keeps the focus while it is saved', async () => {
  const actor = createActor(
    profileFormMachine.provide({
      actors: {saveProfile: fromPromise<User, {changes: ProfileChanges}>(() => new Promise(() => {}))},
    }),
    {input: {user: {id: 'foo'}}},
  ).start()
  stopAfterTest(actor)
  function View() {
    return (
      <ProfileForm snapshot={useSelector(actor, (snapshot) => snapshot)} send={actor.send} onAvatar={() => undefined} />
    )
  }
  await renderView(<View />)
  const name = screen.getByLabelText<HTMLInputElement>('Name')
  await userEvent.type(name, 'Ada{Enter}')
  expect(actor.getSnapshot().value).toBe('saving')
  expect([document.activeElement === name, name.disabled, name.readOnly]).toEqual([true, false, true])
})

const showData = async (exporting: CallHandle, deleting: CallHandle) =>
  renderView(<AccountData email="foo@example.test" exporting={exporting} deleting={deleting} />)

test('an export that is limited says for how long', async () => {
  const limited = await requestAfter({code: 'too_many_requests', status: 429, retryAfterSeconds: 90})
  await showData(limited, await requestAfter())
  expect(screen.getByRole('alert').textContent).toBe('Too many attempts. Try again in 2 minutes.')
})

test('an export that broke says so and can be made again', async () => {
  const exporting = await requestAfter({code: 'api_error', status: 500})
  await showData(exporting, await requestAfter())
  expect(screen.getByRole('alert').textContent).toBe("The export didn't finish. Try again.")
  await userEvent.click(screen.getByRole('button', {name: 'Export'}))
  expect(exporting.send).toHaveBeenCalledExactlyOnceWith({type: 'call.send'})
})

test('a deletion needs the own address and a password', async () => {
  const deleting = await requestAfter(undefined, {isOpen: true})
  await showData(await requestAfter(), deleting)
  const dialog = await screen.findByRole('dialog', {name: 'Delete your account?'})
  const go = within(dialog).getByRole('button', {name: 'Delete account'})
  const isOff = () => go.hasAttribute('disabled')
  expect(isOff()).toBe(true)
  await userEvent.type(within(dialog).getByLabelText(/to confirm$/), 'bar@example.test')
  await userEvent.type(within(dialog).getByLabelText('Password'), 'secret')
  expect(isOff()).toBe(true)
  await userEvent.clear(within(dialog).getByLabelText(/to confirm$/))
  await userEvent.type(within(dialog).getByLabelText(/to confirm$/), 'Foo@example.test')
  await userEvent.click(go)
  expect(deleting.send).toHaveBeenCalledExactlyOnceWith({type: 'call.send', values: {password: 'secret'}})
})

test.each([
  [{code: 'bad_request', status: 400, field: 'password'}, "This isn't your password."],
  [
    {code: 'conflict', status: 409},
    'You are the last operator of this installation. Make another account an operator first.',
  ],
])('why a deletion was refused: %o', async (refusal, words) => {
  await showData(await requestAfter(), await requestAfter(refusal))
  expect(within(await screen.findByRole('dialog')).getByText(words)).toBeTruthy()
})
