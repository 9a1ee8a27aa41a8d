import {expect, test, vi} from 'vitest'
import {createMessageStore, loadFirstWords} from '#app/locale-messages.ts'
import type {CompiledMessages} from '#ui/message-format.ts'

const text = (value: string): CompiledMessages => ({foo: [{type: 0, value}]})

/** English, and a German that is there at once unless the test says otherwise. */
const twoLanguages = (german: () => Promise<{default: CompiledMessages}> = async () => ({default: text('hallo')})) => ({
  en: async () => ({default: text('hello')}),
  de: german,
})
const offline = () => Promise.reject(new Error('offline'))
const word = (value: string): CompiledMessages => ({bar: [{type: 0, value}]})

function deferred() {
  let resolve: (messages: CompiledMessages) => void = () => {}
  let reject: (error: Error) => void = () => {}
  const promise = new Promise<{default: CompiledMessages}>((good, bad) => {
    resolve = (messages) => good({default: messages})
    reject = bad
  })
  return {promise, resolve, reject}
}

test('shows a language when it is loaded and loads it once', async () => {
  const load = vi.fn(() => Promise.resolve({default: text('bar')}))
  const store = createMessageStore({de: load}, vi.fn())
  expect(store.get()).toBeUndefined()
  await store.load('de')
  await store.load('de')
  expect(store.get()).toEqual({locale: 'de', messages: text('bar')})
  expect(load).toHaveBeenCalledTimes(1)
})

test.each<[string, (keyof ReturnType<typeof twoLanguages>)[]]>([
  ['is logged and leaves the one on screen', ['en', 'de']],
  ['becomes English where it is the first', ['de']],
])('a language that fails %s', async (_, asked) => {
  const log = vi.fn()
  const store = createMessageStore(twoLanguages(offline), log)
  for (const locale of asked) await store.load(locale)
  expect(store.get()).toEqual({locale: 'en', messages: text('hello')})
  expect(log).toHaveBeenCalledTimes(1)
})

test('without any language the page still starts', async () => {
  const store = createMessageStore({en: offline}, vi.fn())
  await store.load('en')
  expect(store.get()).toEqual({locale: 'en', messages: {}})
})

test('the newest choice wins, whichever arrives first', async () => {
  const [slow, fast] = [deferred(), deferred()]
  const store = createMessageStore({de: () => slow.promise, fr: () => fast.promise}, vi.fn())
  const both = [store.load('de'), store.load('fr')]
  fast.resolve(text('bonjour'))
  await both[1]
  slow.resolve(text('hallo'))
  await both[0]
  expect(store.get()).toEqual({locale: 'fr', messages: text('bonjour')})
})

test('words that are asked for while others load are there when their promise says so', async () => {
  const [thread, commands] = [deferred(), deferred()]
  const store = createMessageStore(twoLanguages(), vi.fn(), {
    thread: () => thread.promise,
    commands: () => commands.promise,
  })
  await store.load('en')
  const asked = store.loadPart('thread').then(() => store.get()?.messages['bar'])
  const later = store.loadPart('commands')
  thread.resolve(word('there'))
  await new Promise((done) => setTimeout(done))
  commands.resolve({})
  await later
  expect(await asked).toEqual([{type: 0, value: 'there'}])
})

test('words that do not come hold up no other words, nor what only needs the language', async () => {
  const [suno, console] = [deferred(), deferred()]
  const store = createMessageStore(twoLanguages(), vi.fn(), {
    suno: () => suno.promise,
    console: () => console.promise,
  })
  await store.load('en')
  const slow = store.loadPart('suno')
  await store.load('en')
  const other = store.loadPart('console')
  console.resolve(word('orders'))
  await other
  expect(store.get()?.messages).toEqual({...text('hello'), ...word('orders')})
  suno.resolve({song: [{type: 0, value: 'song'}]})
  await slow
  const all = {...text('hello'), ...word('orders'), song: [{type: 0, value: 'song'}]}
  expect(store.get()?.messages).toEqual(all)
})

test('words that come after another language was chosen are there in that language', async () => {
  const [english, german] = [deferred(), deferred()]
  const store = createMessageStore(twoLanguages(), vi.fn(), {
    media: (locale) => (locale === 'en' ? english : german).promise,
  })
  await store.load('en')
  const asked = store.loadPart('media')
  const other = store.load('de')
  english.resolve(word('song'))
  german.resolve(word('Lied'))
  await Promise.all([asked, other])
  expect(store.get()).toEqual({locale: 'de', messages: {...text('hallo'), ...word('Lied')}})
})

test.each(['comes after all', 'does not come', 'fails'] as const)(
  'words that are asked for in a change of language are there when it is taken back and the other %s',
  async (end) => {
    const german = deferred()
    const store = createMessageStore(
      twoLanguages(() => german.promise),
      vi.fn(),
      {thread: (locale) => Promise.resolve({default: word(locale)})},
    )
    await store.load('en')
    const other = store.load('de')
    const asked = store.loadPart('thread').then(() => store.get())
    const back = store.load('en')
    if (end === 'comes after all') german.resolve(text('hallo'))
    if (end === 'fails') german.reject(new Error('offline'))
    await back
    if (end !== 'does not come') await other
    expect(await asked).toEqual({locale: 'en', messages: {...text('hello'), ...word('en')}})
  },
)

test('where the other language fails, the words that were asked for come in the one that stays', async () => {
  const german = deferred()
  const store = createMessageStore(
    twoLanguages(() => german.promise),
    vi.fn(),
    {thread: (locale) => Promise.resolve({default: word(locale)})},
  )
  await store.load('en')
  const other = store.load('de')
  const asked = store.loadPart('thread')
  german.reject(new Error('offline'))
  await Promise.all([other, asked])
  expect(store.get()).toEqual({locale: 'en', messages: {...text('hello'), ...word('en')}})
})

test('listeners hear of each language that is shown', async () => {
  const store = createMessageStore(twoLanguages(), vi.fn())
  const seen: (string | undefined)[] = []
  const stop = store.subscribe(() => seen.push(store.get()?.locale))
  await store.load('en')
  await store.load('de')
  stop()
  await store.load('en')
  expect(seen).toEqual(['en', 'de'])
})

test('what only some screens show comes when it is asked for, and with every language from then on', async () => {
  const media = vi.fn((value: string) => Promise.resolve({default: word(value)}))
  const store = createMessageStore(twoLanguages(), vi.fn(), {
    media: (locale) => media(locale === 'en' ? 'song' : 'Lied'),
  })
  await store.load('en')
  expect(media).not.toHaveBeenCalled()
  await store.loadPart('media')
  await store.loadPart('media')
  expect(store.get()).toEqual({locale: 'en', messages: {...text('hello'), ...word('song')}})
  expect(media).toHaveBeenCalledTimes(1)
  await store.load('de')
  expect(store.get()).toEqual({locale: 'de', messages: {...text('hallo'), ...word('Lied')}})
})

test('a part that failed rejects, and comes when it is asked for again', async () => {
  const log = vi.fn()
  const media = vi.fn(() => Promise.resolve({default: word('song')})).mockRejectedValueOnce(new Error('offline'))
  const store = createMessageStore(twoLanguages(), log, {media})
  await store.load('en')
  await expect(store.loadPart('media')).rejects.toThrow('offline')
  expect(log).toHaveBeenCalledTimes(1)
  await store.loadPart('media')
  expect(store.get()?.messages['bar']).toEqual([{type: 0, value: 'song'}])
  await store.loadPart('media')
  expect(media).toHaveBeenCalledTimes(2)
})

test('words of a screen are not there while no language is, and come with the first that is', async () => {
  const english = vi.fn(async () => ({default: text('hello')})).mockImplementationOnce(offline)
  const store = createMessageStore({en: english}, vi.fn(), {thread: async () => ({default: word('there')})})
  await expect(loadFirstWords(store, 'en')).rejects.toThrow('The page has no words')
  await expect(store.loadPart('thread')).rejects.toThrow('The page has no words')
  expect(store.get()).toEqual({locale: 'en', messages: {}})
})

test('a page has its first words where only the fallback came', async () => {
  const store = createMessageStore(twoLanguages(offline), vi.fn())
  await loadFirstWords(store, 'de')
  expect(store.get()).toEqual({locale: 'en', messages: text('hello')})
})
