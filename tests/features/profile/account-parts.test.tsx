import {screen, within} from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import {expect, test, vi} from 'vitest'
import {createActor, fromPromise, waitFor} from 'xstate'
import {AccountData} from '#features/profile/account-data.tsx'
import {SessionList} from '#features/profile/session-list.tsx'
import {callMachine, type Call, type CallValues} from '#machines/call/call.machine.ts'
import {renderView} from '../shell/render.tsx'

type Refusal = {code: string; status: number; field?: string; retryAfterSeconds?: number}

/** A request whose last attempt was refused, or one that is not made yet. */
async function requestAfter(refusal?: Refusal, {isOpen = false} = {}): Promise<Call> {
  const actor = createActor(
    callMachine.provide({
      actors: {
        call: fromPromise<void, {subject: string | undefined; values: CallValues}>(() =>
          Promise.reject(Object.assign(new Error('foo'), {detail: 'foo', ...refusal})),
        ),
      },
    }),
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

const showData = async (exporting: Call, deleting: Call) =>
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
