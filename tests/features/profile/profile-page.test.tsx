import {screen} from '@testing-library/react'
import {afterEach, expect, test, vi} from 'vitest'
import {ProfilePage} from '#features/profile/profile-page.tsx'
import {renderView} from '../shell/render.tsx'

afterEach(() => vi.unstubAllGlobals())

const show = () =>
  renderView(
    <ProfilePage
      user={{id: 'foo', email: 'foo@example.test'}}
      form={<p>the form</p>}
      appearance={null}
      termsLink="/terms"
      support={{}}
      siteLink={null}
      onSignIn={() => {}}
      onSignOut={() => {}}
    />,
  )

const signOut = () => screen.getByRole('button', {name: 'Log out'})
const position = () => screen.getByRole('link', {name: 'Orders'}).compareDocumentPosition(screen.getByText('the form'))

test('on a phone the links that the tab bar lacks come before the forms', async () => {
  vi.stubGlobal('matchMedia', () => ({matches: true, addEventListener: () => {}, removeEventListener: () => {}}))
  await show()
  expect(position()).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
  // beside a name and an address it would leave them no room
  expect(signOut().closest('li')).toBe(screen.getByRole('list').lastElementChild)
})

test('elsewhere the account comes first', async () => {
  await show()
  expect(position()).toBe(Node.DOCUMENT_POSITION_PRECEDING)
  expect(signOut().closest('header')).not.toBeNull()
})
