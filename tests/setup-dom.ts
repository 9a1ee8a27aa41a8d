import {cleanup, configure} from '@testing-library/react'
import {afterAll, afterEach, vi} from 'vitest'
import {takeTypedAhead} from '#browser/typed-ahead.ts'
import './to-be-visible.ts'

// React warns about updates outside act() only where it is told that it is under test.
Object.assign(globalThis, {IS_REACT_ACT_ENVIRONMENT: true})

// KaTeX refuses pages without a doctype, which the test document has not, and remembers it for all files of a worker
Object.defineProperty(document, 'compatMode', {value: 'CSS1Compat', configurable: true})

// a part that is loaded on first use takes its time on a busy machine; what is there is found at once all the same
configure({asyncUtilTimeout: 10_000})

/**
 * Nothing of one test is there in the next: no view, no storage, no cookie, no attribute of the page, no wait for a
 * field.
 */
afterEach(() => {
  cleanup()
  // keys that are kept for a field reach no other one for seconds
  takeTypedAhead()
  localStorage.clear()
  sessionStorage.clear()
  for (const cookie of document.cookie.split('; ')) {
    const name = cookie.split('=', 1)[0] ?? ''
    document.cookie = `${name}=; Path=/; Max-Age=0`
  }
  for (const {name} of Array.from(document.documentElement.attributes)) document.documentElement.removeAttribute(name)
  document.head.replaceChildren()
  document.body.replaceChildren()
})

// A part that is still on its way when the page of a file goes fails, and with it every later file of the worker that
// loads it.
afterAll(() => vi.dynamicImportSettled())
