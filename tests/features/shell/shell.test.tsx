import {act, screen, waitFor, within} from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import {expect, onTestFinished, test, vi} from 'vitest'
import {OfflineBar, SandboxBadge} from '#features/shell/bars.tsx'
import {TestBadge} from '#features/shell/test-badge.tsx'
import {NotFoundPage} from '#features/shell/not-found-page.tsx'
import {Rail, TabBar} from '#features/shell/rail.tsx'
import {Shell, type ShellPanel} from '#features/shell/shell.tsx'
import {groupLinks} from '#features/shell/tools.ts'
import {ZoneBoundary} from '#features/shell/zone-boundary.tsx'
import {anyTouch} from '#ui/use-media-query.ts'
import {renderView} from './render.tsx'

/** Every timer that is due has run. */
const settled = () => act(() => new Promise((resolve) => setTimeout(resolve)))

const groups = groupLinks(undefined, [])
const frame = {rail: null, tabs: null, bar: null, head: null, headEnd: null}
const panel: ShellPanel = {title: 'Chat', width: 'chat', content: 'foo', placement: 'beside', onToggle: () => {}}

test('the rail links the groups, the console and the invitations, and marks the section', async () => {
  await renderView(<Rail groups={groups} section="video" siteTitle="Foo" logos={[]} account={null} />, {
    path: '/luma',
  })
  const links = within(screen.getByRole('navigation', {name: 'Main'})).getAllByRole('link')
  expect(links.map((link) => [link.getAttribute('aria-label') ?? link.textContent, link.getAttribute('href')])).toEqual(
    [
      ['Foo, start page', '/'],
      ['Chat', '/chatgpt'],
      ['Image', '/midjourney'],
      ['Video', '/luma'],
      ['Music', '/suno'],
      ['Console', '/console'],
      ['Invite', '/distribution'],
    ],
  )
  expect(links.filter((link) => link.getAttribute('aria-current') === 'page').map((link) => link.textContent)).toEqual([
    'Video',
  ])
})

test('phones get the groups and the user at the foot', async () => {
  await renderView(<TabBar groups={groups} section="you" />)
  expect(screen.getAllByRole('link').map((link) => link.textContent)).toEqual([
    'Chat',
    'Image',
    'Video',
    'Music',
    'You',
  ])
  expect(screen.getByRole('link', {name: 'You'}).getAttribute('aria-current')).toBe('page')
})

test('the panel beside the page is a landmark with its name and can be hidden', async () => {
  const onToggle = vi.fn()
  await renderView(<Shell {...frame} panel={{...panel, onToggle}} />)
  expect(within(screen.getByRole('complementary', {name: 'Chat'})).getByText('foo')).toBeVisible()
  await userEvent.click(screen.getByRole('button', {name: 'Hide panel'}))
  expect(onToggle).toHaveBeenCalledTimes(1)
})

test.each([
  ['hidden', 'Show panel'],
  ['drawer', 'Open list'],
] as const)('a %s panel is behind a button in the head', async (placement, name) => {
  await renderView(<Shell {...frame} panel={{...panel, placement}} />)
  expect(screen.queryByRole('complementary')).toBeNull()
  expect(screen.getByRole('button', {name})).toBeVisible()
})

test('the first link of the page leads to its content', async () => {
  await renderView(
    <Shell
      {...frame}
      rail={<Rail groups={groups} section={undefined} siteTitle="Foo" logos={[]} account={null} />}
      panel={undefined}
    >
      bar
    </Shell>,
  )
  const [first] = screen.getAllByRole('link')
  expect([first?.textContent, first?.getAttribute('href')]).toEqual(['Skip to content', '#main'])
  expect(screen.getByRole('main').id).toBe('main')
})

/** A device with a touch screen; its part of the shell has been loaded. */
async function onTouch() {
  const match = vi
    .spyOn(window, 'matchMedia')
    // as: the views read these of a media query
    .mockImplementation(
      (query) =>
        ({matches: query === anyTouch, addEventListener() {}, removeEventListener() {}}) as unknown as MediaQueryList,
    )
  onTestFinished(() => match.mockRestore())
  await import('#features/shell/follow-typing.ts')
}

test('a device without a touch screen has no keyboard that typing would open', async () => {
  const {container} = await renderView(
    <Shell {...frame} panel={undefined}>
      <textarea aria-label="foo" />
    </Shell>,
  )
  await userEvent.click(screen.getByRole('textbox'))
  await settled()
  expect(container.querySelector('[data-typing]')).toBeNull()
})

test('a field that had the focus before typing was followed counts', async () => {
  await onTouch()
  const {container} = await renderView(
    <Shell {...frame} panel={undefined}>
      <textarea aria-label="foo" autoFocus />
    </Shell>,
  )
  await waitFor(() => expect(container.querySelector('[data-typing]')).not.toBeNull())
})

test('typing is told apart, and a press that ends the typing ends before anything moves', async () => {
  await onTouch()
  const send = vi.fn()
  const {container} = await renderView(
    <Shell {...frame} panel={undefined}>
      <textarea aria-label="foo" />
      <button onClick={send}>bar</button>
    </Shell>,
  )
  const isTyping = () => container.querySelector('[data-typing]') !== null
  await settled()
  expect(isTyping()).toBe(false)
  await userEvent.click(screen.getByRole('textbox'))
  expect(isTyping()).toBe(true)

  const button = screen.getByRole('button', {name: 'bar'})
  const user = userEvent.setup()
  await user.pointer({keys: '[MouseLeft>]', target: button})
  expect(document.activeElement).toBe(button)
  await settled()
  expect(isTyping()).toBe(true)
  await user.pointer({keys: '[/MouseLeft]', target: button})
  expect(send).toHaveBeenCalledTimes(1)
  await waitFor(() => expect(isTyping()).toBe(false))

  await userEvent.click(screen.getByRole('textbox'))
  await user.keyboard('{Tab}')
  await waitFor(() => expect(isTyping()).toBe(false))
})

test('after a tap that ends the typing nothing moves until a second tap is over', async () => {
  await onTouch()
  const {container} = await renderView(
    <Shell {...frame} panel={undefined}>
      <textarea aria-label="foo" />
      <button>bar</button>
    </Shell>,
  )
  const isTyping = () => container.querySelector('[data-typing]') !== null
  await settled()
  vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']})
  onTestFinished(() => void vi.useRealTimers())
  const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds))
  act(() => screen.getByRole('textbox').focus())
  expect(isTyping()).toBe(true)
  // a touch lifts the finger before the focus moves
  const button = screen.getByRole('button', {name: 'bar'})
  for (const type of ['pointerdown', 'pointerup']) button.dispatchEvent(new Event(type, {bubbles: true}))
  act(() => button.focus())
  await pass(300)
  expect(isTyping()).toBe(true)
  await pass(50)
  expect(isTyping()).toBe(false)

  // without a touch at once
  act(() => screen.getByRole('textbox').focus())
  act(() => button.focus())
  await pass(0)
  expect(isTyping()).toBe(false)
})

test('bars and badges say what they mean', async () => {
  await renderView(
    <>
      <OfflineBar />
      <TestBadge />
      <SandboxBadge />
    </>,
  )
  expect(screen.getByRole('status').textContent).toBe("You're offline. We'll reconnect automatically.")
  expect(screen.getByText('Test environment')).toBeVisible()
  expect(screen.getByText(/No language model is used/)).toBeVisible()
})

test('an unknown address has a heading and a way on', async () => {
  const onSearch = vi.fn()
  await renderView(<NotFoundPage onSearch={onSearch} />)
  expect(screen.getByRole('heading', {level: 1}).textContent).toBe('Page not found')
  expect(screen.getByRole('link', {name: 'New chat'}).getAttribute('href')).toBe('/')
  expect(onSearch).not.toHaveBeenCalled()
  await userEvent.click(screen.getByRole('button', {name: 'Search and commands'}))
  expect(onSearch).toHaveBeenCalledOnce()
})

test('a part that fails leaves the rest and can be drawn again', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  let broken = true
  const Fragile = () => {
    if (broken) throw new Error('foo')
    return <p>bar</p>
  }
  await renderView(
    <>
      <p>beside</p>
      <ZoneBoundary zone="screen">
        <Fragile />
      </ZoneBoundary>
    </>,
  )
  expect(screen.getByText('beside')).toBeVisible()
  expect(screen.getByRole('alert').textContent).toContain('This part stopped working.')
  broken = false
  await userEvent.click(screen.getByRole('button', {name: 'Reload this part'}))
  expect(screen.getByText('bar')).toBeVisible()
  expect(log).toHaveBeenCalled()
  log.mockRestore()
})
