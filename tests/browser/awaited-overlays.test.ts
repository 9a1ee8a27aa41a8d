import {expect, onTestFinished, test, vi} from 'vitest'
import {watchOverlays} from '#browser/awaited-overlays.ts'

/** A button whose press opens a menu, of which the code is there or is not. */
function press({isOnline, isLoaded}: {isOnline: boolean; isLoaded: boolean}) {
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(isOnline)
  const frames = vi.spyOn(window, 'requestAnimationFrame').mockImplementation((run) => {
    run(0)
    return 0
  })
  const listen = vi.spyOn(document, 'addEventListener')
  const button = document.body.appendChild(document.createElement('button'))
  button.setAttribute('aria-haspopup', 'menu')
  const menu = document.createElement('div')
  menu.setAttribute('role', 'menu')
  onTestFinished(() => {
    for (const each of [online, frames, listen]) each.mockRestore()
    for (const each of [button, menu]) each.remove()
  })
  const onAwaited = vi.fn()
  watchOverlays(window, onAwaited)
  const [[, look] = []] = listen.mock.calls
  frames.mockImplementation((run) => {
    button.setAttribute('aria-expanded', 'true')
    if (isLoaded) document.body.append(menu)
    run(0)
    return 0
  })
  button.click()
  document.removeEventListener('click', look as EventListener, true) // as: the listener above
  return onAwaited.mock.calls.length
}

test.each([
  ['that is not there', {isOnline: false, isLoaded: false}, 1],
  ['that is there', {isOnline: false, isLoaded: true}, 0],
  ['that a network brings', {isOnline: true, isLoaded: false}, 0],
])('a menu %s', (_, world, calls) => expect(press(world)).toBe(calls))
