import {describe, expect, test, vi} from 'vitest'
import {createStoredText} from '#browser/stored-text.ts'
import {openFlowLog} from '#app/flow/open-flow-log.ts'

/* The log of "What happened" over the pages of one tab. */

/** The texts of a tab, and where they are: what one page leaves is what the next one finds. */
function createTab() {
  const texts = new Map<string, string>()
  const storage = {
    getItem: vi.fn((key: string) => texts.get(key) ?? null),
    setItem: vi.fn((key: string, text: string) => void texts.set(key, text)),
    removeItem: (key: string) => void texts.delete(key),
  }
  // as: the members that are used
  const leftFlow = createStoredText(storage as unknown as Storage, 'foo')
  return {storage, leftFlow}
}
type Tab = ReturnType<typeof createTab>
type Session = {user: {id: string}; epoch: number}
const session: Session = {user: {id: 'secret user'}, epoch: 1}

let time = 0
function openPage({leftFlow}: Tab, opened: () => Session | undefined = () => session, epoch = 1) {
  const visible: {visibilityState: DocumentVisibilityState} = {visibilityState: 'visible'}
  const document = Object.assign(new EventTarget(), visible)
  const view = Object.assign(new EventTarget(), {document})
  const answers: (() => void)[] = []
  const send = () => new Promise<Response>((resolve) => answers.push(() => resolve(Response.json({}))))
  const now = () => (time += 1)
  const log = openFlowLog(send, {leftFlow, state: {epoch: () => epoch}}, opened, view, now)
  return {
    log,
    ask: (address: string) =>
      log.fetch(address, {
        method: 'POST',
        body: '{"question":"secret words","id":"c1","version_of":"m1","after":"m0","answer_to":"m2"}',
      }),
    poll: () => log.fetch('poll', {method: 'POST', body: '{"action":"retrieve_batch"}'}),
    answer: () => answers.splice(0).forEach((give) => give()),
    leave: () => view.dispatchEvent(new Event('pagehide')),
    /** The browser had kept the page as it was. */
    comeBack: () => view.dispatchEvent(Object.assign(new Event('pageshow'), {persisted: true})),
    turn: (state: DocumentVisibilityState) => {
      document.visibilityState = state
      document.dispatchEvent(new Event('visibilitychange'))
    },
    /** Addresses of calls, and where a page was loaded. */
    names: () => log.entries().map((entry) => ('address' in entry ? entry.address : 'page' in entry && entry.page)),
  }
}

describe('what a page noted', () => {
  test('is there after it was left, before what the next page notes', async () => {
    const tab = createTab()
    const first = openPage(tab)
    const asked = first.ask('one')
    first.answer()
    await asked
    void first.ask('two')
    first.leave()
    const second = openPage(tab)
    void second.ask('three')
    expect(second.names()).toEqual(['one', 'two', 'loaded', 'three'])
    expect(second.log.entries()[0]).toEqual(first.log.entries()[0])
    expect(second.log.entries()[1]).not.toHaveProperty('status')
    second.leave()
    second.leave()
    expect(openPage(tab).names()).toEqual(['one', 'two', 'loaded', 'three', 'loaded'])
  })

  test('is there when a hidden page is ended without a word, with the answers that came meanwhile', async () => {
    const tab = createTab()
    const first = openPage(tab)
    const asked = first.ask('one')
    first.turn('hidden')
    first.answer()
    await asked
    expect(openPage(tab).log.entries()[0]).not.toHaveProperty('status')
    first.turn('visible')
    expect(tab.storage.setItem).toHaveBeenCalledTimes(1)
    first.turn('hidden')
    expect(openPage(tab).log.entries()[0]).toEqual({
      ...{address: 'one', status: 200, at: 9, method: 'POST', took: 1},
      ...{conversation: 'c1', version: 'm1', after: 'm0', answerTo: 'm2'},
    })
  })

  test('is there with what the pages between noted when the browser brings a page back', () => {
    const tab = createTab()
    const first = openPage(tab)
    void first.ask('one')
    first.leave()
    first.comeBack()
    expect(first.names()).toEqual(['one'])
    first.leave()
    const second = openPage(tab)
    void second.ask('two')
    second.leave()
    first.comeBack()
    void first.ask('three')
    const all = ['one', 'loaded', 'two', 'loaded', 'three']
    expect(first.names()).toEqual(all)
    first.leave()
    expect(openPage(tab).names()).toEqual([...all, 'loaded'])
  })

  test('is there once when the browser brings a page back that goes on to poll, and its questions stay', () => {
    const tab = createTab()
    const first = openPage(tab)
    void first.ask('one')
    void first.poll()
    first.leave()
    const second = openPage(tab)
    void second.ask('two')
    second.leave()
    first.comeBack()
    for (let count = 0; count < 300; count += 1) void first.poll()
    const names = first.names()
    expect(names.filter((name) => name !== 'poll')).toEqual(['one', 'loaded', 'two', 'loaded'])
    expect(names.filter((name) => name === 'poll')).toHaveLength(200)
    first.leave()
    expect(openPage(tab).names()).toEqual([...names, 'loaded'])
  })

  test('is not read before it is asked for', () => {
    const tab = createTab()
    const first = openPage(tab)
    void first.ask('one')
    first.leave()
    const parse = vi.spyOn(JSON, 'parse')
    const second = openPage(tab)
    void second.ask('two')
    expect(parse).not.toHaveBeenCalled()
    parse.mockRestore()
    expect(second.names()).toHaveLength(3)
  })

  test('is bounded over all pages', () => {
    const tab = createTab()
    for (const name of ['old', 'new']) {
      const page = openPage(tab)
      for (let count = 0; count < 400; count += 1) void page.ask(name)
      page.leave()
    }
    const names = openPage(tab).names()
    expect(names).toHaveLength(600)
    expect(names.filter((name) => name === 'new')).toHaveLength(400)
    expect(names.at(-1)).toBe('loaded')
  })

  test('has neither words nor the name of the user', () => {
    const tab = createTab()
    const page = openPage(tab)
    void page.ask('one?key=secret')
    page.leave()
    expect(tab.leftFlow.read()).toContain('"address":"one"')
    expect(tab.leftFlow.read()).not.toContain('secret')
  })
})

describe('what a page noted is gone', () => {
  const leftTab = () => {
    const tab = createTab()
    const page = openPage(tab)
    void page.ask('one')
    page.leave()
    return tab
  }

  test('for another user', () => {
    const tab = leftTab()
    const other = () => ({user: {id: 'other'}, epoch: 1})
    const page = openPage(tab, other)
    expect(page.names()).toEqual([])
    void page.ask('two')
    page.leave()
    expect(openPage(tab, other).names()).toEqual(['two', 'loaded'])
    expect(openPage(tab).names()).toEqual([])
  })

  test('after a sign-out in this page', () => {
    const tab = leftTab()
    const page = openPage(tab)
    expect(page.names()).toEqual(['one', 'loaded'])
    tab.leftFlow.write(undefined)
    page.log.forget()
    expect(page.names()).toEqual([])
    page.leave()
    expect(openPage(tab).names()).toEqual([])
  })

  test('after a sign-out of another tab, as soon as the next page begins', () => {
    const tab = leftTab()
    openPage(tab, () => undefined, 2)
    expect(tab.leftFlow.read()).toBeUndefined()
  })

  test('while there is no session, and back with it', () => {
    const tab = leftTab()
    const page = openPage(tab, () => undefined)
    page.leave()
    expect(page.names()).toEqual([])
    expect(openPage(tab).names()).toEqual(['one', 'loaded'])
  })
})

describe('a store that', () => {
  const owner = () => {
    const tab = createTab()
    openPage(tab).leave()
    return (tab.leftFlow.read() ?? '').replace(/\[.*/, '')
  }

  test.each([
    'foo',
    '{}',
    '[null]',
    '[{"at":1}]',
    '[{"at":"one","page":"loaded"}]',
    '[{"at":1e300,"page":"loaded"}]',
    '[{"at":1,"method":"GET","address":7}]',
    '[{"at":1,"actor":"foo","state":"no json","event":"bar"}]',
    '[{"at":1,"page":"loaded"},{"at":2,"method":"GET"}]',
  ])('holds %s tells nothing', (text) => {
    const tab = createTab()
    tab.leftFlow.write(owner() + text)
    const page = openPage(tab)
    void page.ask('one')
    expect(page.names()).toEqual(['one'])
    page.leave()
    expect(openPage(tab).names()).toEqual(['one', 'loaded'])
  })

  test('is full or forbidden breaks nothing', () => {
    const tab = createTab()
    const page = openPage(tab)
    void page.ask('one')
    const refuse = () => {
      throw new DOMException('full', 'QuotaExceededError')
    }
    tab.storage.setItem.mockImplementation(refuse)
    page.leave()
    tab.storage.getItem.mockImplementation(refuse)
    page.turn('hidden')
    expect(page.names()).toEqual(['one'])
    expect(openPage(tab).names()).toEqual([])
  })
})
