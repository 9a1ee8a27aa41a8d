import {runInNewContext} from 'node:vm'
import {Window} from 'happy-dom'
import {expect, test} from 'vitest'
import {createAppRouter} from '#app/router.ts'
import page from '../../../index.html?raw'

const script = /<script id="boot">([\s\S]*?)<\/script>/.exec(page)?.[1] ?? ''

type Browser = {
  cookie?: string
  path?: string
  query?: string
  language?: string
  prefersLight?: boolean
  panel?: string
  blocked?: boolean
}

/** Runs the boot script of the real page in a page of its own and gives what the first paint will use. */
function boot({
  cookie = '',
  path = '/',
  query = '',
  language = 'en-US',
  prefersLight = false,
  panel,
  blocked = false,
}: Browser) {
  const {document} = new Window({url: `http://localhost${path}${query}`})
  document.write('<!doctype html><html><head><meta name="theme-color" content=""></head><body></body></html>')
  const storage = {
    getItem: () => {
      if (blocked) throw new Error('blocked')
      return panel ?? null
    },
  }
  const matchMedia = () => ({matches: prefersLight})
  const view = {documentElement: document.documentElement, cookie, querySelector: document.querySelector.bind(document)}
  const globals = {
    document: view,
    location: {pathname: path, search: query},
    localStorage: storage,
    navigator: {language},
    window: {matchMedia},
    matchMedia,
    URLSearchParams,
    addEventListener: () => undefined,
    setTimeout: () => undefined,
  }
  runInNewContext(script, globals)
  const root = document.documentElement
  return {
    theme: root.getAttribute('data-theme'),
    lang: root.getAttribute('lang'),
    dir: root.getAttribute('dir'),
    panel: root.getAttribute('data-panel'),
    frame: root.getAttribute('data-frame'),
    colour: document.querySelector('meta')?.getAttribute('content'),
  }
}

test('the page has a boot script', () => expect(script).toContain('data-theme'))

test('cookies decide', () => {
  expect(boot({cookie: 'foo=bar; THEME=light; LOCALE=ar'})).toEqual({
    theme: 'light',
    lang: 'ar',
    dir: 'rtl',
    panel: null,
    frame: null,
    colour: '#f7f8f9',
  })
})

test('the query wins over cookies', () => {
  const {theme, lang} = boot({cookie: 'THEME=light; LOCALE=ar', query: '?theme=dark&lang=de'})
  expect({theme, lang}).toEqual({theme: 'dark', lang: 'de'})
})

test('without either the browser decides', () => {
  expect(boot({prefersLight: true, language: 'pt-BR'})).toEqual({
    theme: 'light',
    lang: 'pt',
    dir: 'ltr',
    panel: null,
    frame: null,
    colour: '#f7f8f9',
  })
  expect(boot({prefersLight: false, language: 'xx'})).toEqual({
    theme: 'dark',
    lang: 'en',
    dir: 'ltr',
    panel: null,
    frame: null,
    colour: '#0a0b0c',
  })
})

test('values that are none of ours are ignored', () => {
  expect(boot({cookie: 'THEME=pink; LOCALE=<script>', query: '?theme=x&lang=../..'})).toEqual({
    theme: 'dark',
    lang: 'en',
    dir: 'ltr',
    panel: null,
    frame: null,
    colour: '#0a0b0c',
  })
})

test('a tag is normalised to one of the 18 languages', () => {
  expect(boot({query: '?lang=ZH_tw'}).lang).toBe('zh-TW')
  expect(boot({query: '?lang=de-AT'}).lang).toBe('de')
})

test('the collapsed panel is known before the first paint; blocked storage is not an error', () => {
  expect(boot({panel: 'hidden'}).panel).toBe('hidden')
  expect(boot({blocked: true}).panel).toBeNull()
})

test('the configuration of the page is JSON that names only a mode', () => {
  const config = /<script type="application\/json" id="config">([^<]*)<\/script>/.exec(page)?.[1]
  expect(JSON.parse(config ?? '')).toEqual({mode: 'production'})
})

test('the first frame is the one that the page will have, on every route', () => {
  const nowhere = () => {
    throw new Error('Nothing is navigated here')
  }
  const context = {auth: nowhere, prepareLanguage: nowhere, prepareWords: nowhere}
  const router = createAppRouter(context)
  const frames = Object.entries(router.routesByPath).flatMap(([path, {options}]) => {
    const {panel, title, toolName} = options.staticData ?? {}
    // addresses without a name only lead on
    return (title ?? toolName) === undefined
      ? []
      : [{path, frame: panel ?? (path.startsWith('/auth') ? 'bare' : 'plain')}]
  })
  expect(frames.length).toBeGreaterThan(30)
  expect(frames.filter(({path, frame}) => (boot({path}).frame ?? 'chat') !== frame)).toEqual([])
})

test('a page whose script has not come in 15 s says so, with a link that reloads it', () => {
  const pageAfterWait = (isStanding: boolean) => {
    const {document} = new Window({url: 'http://localhost/'})
    document.write(page.replace(/<script[^]*?<\/script>/g, ''))
    if (!isStanding) document.querySelector('#root')?.replaceChildren(document.createElement('main'))
    const waits: [callback: () => void, milliseconds: number][] = []
    runInNewContext(script, {
      document,
      location: {pathname: '/', search: ''},
      localStorage: {getItem: () => null},
      navigator: {language: 'en'},
      window: {},
      URLSearchParams,
      addEventListener: () => undefined,
      setTimeout: (callback: () => void, milliseconds: number) => waits.push([callback, milliseconds]),
    })
    expect(waits.map(([, milliseconds]) => milliseconds)).toEqual([15_000])
    for (const [callback] of waits) callback()
    return document.querySelector('body > .not-loaded')?.textContent
  }
  expect(pageAfterWait(true)).toBe('Atrium could not be loaded. Reload')
  expect(pageAfterWait(false)).toBeUndefined()
})

test('what stands in for the page goes with the skeleton', async () => {
  const window = new Window({url: 'http://localhost/'})
  const {document} = window
  document.write(page.replace(/<script[^]*?<\/script>/g, ''))
  const waits: (() => void)[] = []
  runInNewContext(script, {
    document,
    location: {pathname: '/', search: ''},
    localStorage: {getItem: () => null},
    navigator: {language: 'en'},
    window: {},
    URLSearchParams,
    MutationObserver: window.MutationObserver,
    addEventListener: (type: string, listener: () => void) => {
      if (type === 'DOMContentLoaded') listener()
    },
    setTimeout: (callback: () => void) => waits.push(callback),
  })
  for (const callback of waits) callback()
  const root = document.documentElement
  const container = document.querySelector('#root')
  const standsIn = () => [root.hasAttribute('data-early'), document.querySelector('body > .not-loaded') !== null]
  const skeleton = document.createElement('div')
  skeleton.className = 'skeleton'
  container?.replaceChildren(skeleton)
  await window.happyDOM.waitUntilComplete()
  expect(standsIn()).toEqual([true, true])
  container?.replaceChildren(document.createElement('main'))
  await window.happyDOM.waitUntilComplete()
  expect(standsIn()).toEqual([false, false])
})
