import {expect, onTestFinished, test, vi} from 'vitest'
import {backgroundNotices} from '#browser/background-notices.ts'
import {keyBindings, sendKey} from '#browser/remembered-value.ts'

/** Another tab stores a value: the browser tells all tabs but that one. */
function storeElsewhere(key: string, newValue: string | null) {
  if (newValue === null) localStorage.removeItem(key)
  else localStorage.setItem(key, newValue)
  dispatchEvent(new StorageEvent('storage', {key, newValue}))
}

test('what another tab chooses counts here at once, and what it takes back too', () => {
  const listen = vi.fn()
  onTestFinished(sendKey.subscribe(listen))
  storeElsewhere('atrium.notices', 'on')
  storeElsewhere('atrium.send', 'modifier')
  storeElsewhere('atrium.keys', 'find=F9')
  expect([backgroundNotices.get(), sendKey.get(), keyBindings.get()]).toEqual([true, 'modifier', {find: 'F9'}])
  expect(listen).toHaveBeenCalledOnce()
  for (const key of ['atrium.notices', 'atrium.send', 'atrium.keys']) storeElsewhere(key, null)
  expect([backgroundNotices.get(), sendKey.get(), keyBindings.get()]).toEqual([false, 'enter', {}])
})

test('what is empty leaves nothing on the device', () => {
  keyBindings.set({find: 'F9'})
  expect(localStorage.getItem('atrium.keys')).toBe('find=F9')
  keyBindings.set({})
  expect(localStorage.getItem('atrium.keys')).toBeNull()
})
