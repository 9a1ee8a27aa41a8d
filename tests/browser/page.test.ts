import {describe, expect, test, vi} from 'vitest'
import {largestFileOf} from '#browser/files-config.ts'
import {PageConfigFailure, readPageConfig, type BuildEnvironment} from '#browser/page-config.ts'
import {createPage, showLanguage} from '#browser/page.ts'

describe('the largest file', () => {
  const read = (script: string) => {
    const element = document.head.appendChild(document.createElement('script'))
    element.type = 'application/json'
    element.id = 'config'
    element.textContent = script
    return largestFileOf(document)
  }

  test('is the one that the page says', () => expect(read('{"mode":"test","largestFile":20971520}')).toBe(20_971_520))

  test.each(['', '{', '{}', '{"largestFile":null}', '{"largestFile":"20"}'])('is not known from %j', (script) =>
    expect(read(script)).toBeUndefined(),
  )
})

describe('page configuration', () => {
  const table = {platform: 'https://platform.table', auth: 'https://auth.table', api: 'https://api.table'}
  const read = (script: string | undefined, environment: BuildEnvironment = {}) => {
    if (script !== undefined) {
      const element = document.head.appendChild(document.createElement('script'))
      element.type = 'application/json'
      element.id = 'config'
      element.textContent = script
    }
    const log = vi.fn()
    return {config: readPageConfig({page: document, environment, table, log}), log}
  }
  const defaults = {...table, mode: 'production', hub: location.origin, loginFlow: 'redirect', capabilities: []}

  test('the script wins, without trailing slashes', () => {
    const script = {
      mode: 'test',
      platform: 'https://a.test/services/platform/',
      auth: 'https://b.test',
      api: 'https://c.test//',
      hub: 'https://d.test',
      siteOrigin: 'http://localhost-foo',
      loginFlow: 'popup',
      cookieDomain: '.test',
      capabilities: ['pkce', 'refresh'],
      foreignImages: 'framed',
    }
    const {config} = read(JSON.stringify(script), {VITE_BASE_URL_AUTH: 'https://build.test'})
    expect(config).toEqual({...script, platform: 'https://a.test/services/platform', api: 'https://c.test'})
  })

  test('then the build, then the table, key by key', () => {
    const {config} = read('{"mode":"production","api":"https://c.test","hub":null}', {
      VITE_BASE_URL_AUTH: 'https://build.test/',
      VITE_BASE_URL_API: 'https://no.test',
      VITE_BASE_URL_PLATFORM: '',
    })
    expect(config).toEqual({...defaults, auth: 'https://build.test', api: 'https://c.test'})
  })

  test('no script at all', () => {
    expect(read(undefined).config).toEqual(defaults)
  })

  test.each(['', ' \n'])('an element without content, %j, is logged and no configuration', (script) => {
    const {config, log} = read(script)
    expect(config).toEqual(defaults)
    expect(log).toHaveBeenCalledOnce()
  })

  const named = {platform: 'https://a.test', auth: 'https://b.test', api: 'https://c.test', hub: 'https://d.test'}

  test.each([
    ['mode', 'prod'],
    ['mode', null],
    ['loginFlow', 'foo'],
    ['capabilities', 'pkce'],
    ['capabilities', ['pkce', 5]],
    ['siteOrigin', 5],
    ['cookieDomain', {}],
    ['callbackBase', []],
    ['foreignImages', 'false'],
  ])('a wrong %s, %j, alone is left out, and named', (key, value) => {
    const {config, log} = read(JSON.stringify({...named, [key]: value}))
    expect(config).toEqual({...defaults, ...named})
    expect(log.mock.calls).toEqual([[expect.any(String), {keys: [key]}]])
  })

  test('the right keys beside wrong ones count', () => {
    const right = {...named, siteOrigin: 'http://localhost-foo', capabilities: ['refresh']}
    const {config, log} = read(JSON.stringify({...right, mode: 'prod', loginFlow: 'foo'}))
    expect(config).toEqual({...defaults, ...right})
    expect(log.mock.calls).toEqual([[expect.any(String), {keys: ['mode', 'loginFlow']}]])
  })

  const failure = (script: string) => {
    try {
      return read(script).config
    } catch (error) {
      return error
    }
  }

  const wrongBases: unknown[] = [
    ...[
      5,
      false,
      {},
      [],
      '',
      ' ',
      'a.test',
      'a.test/b',
      'ftp://a.test',
      'javascript:alert(1)',
      'https:a.test',
      'https://',
    ],
    ...[
      'https://a b.test',
      'https://a.test:99999',
      'https://foo:bar@a.test',
      'https://a.test/?b=',
      'https://a.test/#b',
    ],
    ...['//a.test', '/\\a.test', '/\t/a.test', './a', '/a?b', '${PLATFORM}'],
  ]
  test.each(wrongBases)('a base URL that is %j stops the start and is named', (value) => {
    for (const key of ['platform', 'auth', 'api', 'hub'] as const) {
      const found = failure(JSON.stringify({...named, mode: 'prod', [key]: value}))
      expect(found).toBeInstanceOf(PageConfigFailure)
      expect(found).toMatchObject({key, message: expect.stringContaining(key)})
      document.head.replaceChildren()
    }
  })

  test.each(['not json', '{', '[]', 'null', '5', '"https://a.test"'])(
    '%s, no JSON object, stops the start',
    (script) => {
      const found = failure(script)
      expect(found).toBeInstanceOf(PageConfigFailure)
      expect(found).toHaveProperty('key', undefined)
    },
  )

  test.each([
    ['/', ''],
    ['/services/platform/', '/services/platform'],
  ])('the path %s is one of the page itself', (platform, path) => {
    expect(read(JSON.stringify({platform})).config).toEqual({...defaults, platform: location.origin + path})
  })

  test.each(['HTTPS://B.test:443/x', 'https://b.test/x/ '])('the address %j is joined in its usual form', (auth) => {
    expect(read(JSON.stringify({auth})).config.auth).toBe('https://b.test/x')
  })

  test.each([
    ['web', 'redirect'],
    ['android', 'popup'],
    ['ios', 'popup'],
  ])('surface %s signs in by %s', (surface, loginFlow) => {
    expect(read('{}', {VITE_SURFACE: surface}).config.loginFlow).toBe(loginFlow)
  })
})

const content = (name: string) => document.head.querySelector(`meta[name="${name}"]`)?.getAttribute('content')
const icon = () => document.head.querySelector<HTMLLinkElement>('link[rel="icon"]')

describe('head', () => {
  test('description, keywords and favicon of the site are made when missing, once', () => {
    const page = createPage()
    page.setSite({description: 'a', keywords: ['b', 'c'], favicon: '/files/d.png'})
    page.setSite({description: 'A', keywords: ['B', 'C'], favicon: 'https://foo.test/d.png'})
    expect(content('description')).toBe('A')
    expect(content('keywords')).toBe('B,C')
    expect(icon()?.href).toBe('https://foo.test/d.png')
    expect(document.head.querySelectorAll('meta, link')).toHaveLength(3)
  })

  test('what a site does not say is not there', () => {
    const page = createPage()
    page.setSite({description: 'a', keywords: ['b']})
    page.setSite({description: null, keywords: []})
    expect(content('description')).toBeUndefined()
    expect(content('keywords')).toBeUndefined()
    expect(icon()?.getAttribute('href')).toBe('/favicon.svg')
  })

  test.each(['javascript:alert(1)', 'data:image/svg+xml,<svg/>', 'blob:https://foo.test/x', 'http://', ''])(
    'favicon %j is the bundled one',
    (favicon) => {
      createPage().setSite({favicon})
      expect(icon()?.getAttribute('href')).toBe('/favicon.svg')
    },
  )

  test('the icon the page came with is not fetched again, and comes back after that of a site', () => {
    document.head.innerHTML = '<link rel="icon" type="image/svg+xml" href="data:foo">'
    const changes = vi.spyOn(icon() ?? document.createElement('link'), 'href', 'set')
    const page = createPage()
    page.setSite({})
    expect(changes).not.toHaveBeenCalled()
    page.setSite({favicon: 'https://foo.test/d.png'})
    page.setSite({})
    expect(changes.mock.calls).toEqual([['https://foo.test/d.png'], ['data:foo']])
    expect(icon()?.type).toBe('image/svg+xml')
  })

  test('hostile text stays text', () => {
    createPage().setSite({description: '"><script>alert(1)</script>'})
    expect(document.head.querySelector('script')).toBeNull()
    expect(content('description')).toBe('"><script>alert(1)</script>')
  })
})

test('theme and language are attributes of the root', () => {
  const page = createPage()
  page.setTheme('dark')
  showLanguage('ar')
  const root = document.documentElement
  expect([root.dataset.theme, root.classList.contains('dark'), root.lang, root.dir]).toEqual([
    'dark',
    true,
    'ar',
    'rtl',
  ])
  page.setTheme('light')
  showLanguage('zh-CN')
  expect([root.dataset.theme, root.classList.contains('dark'), root.lang, root.dir]).toEqual([
    'light',
    false,
    'zh-CN',
    'ltr',
  ])
})

describe('life of the page', () => {
  test('online and offline', () => {
    const seen: boolean[] = []
    const subscription = createPage().online$.subscribe((online) => seen.push(online))
    window.dispatchEvent(new Event('offline'))
    window.dispatchEvent(new Event('online'))
    subscription.unsubscribe()
    window.dispatchEvent(new Event('offline'))
    expect(seen).toEqual([false, true])
  })

  test('visible, hidden and leaving are three things', () => {
    const facts: (boolean | 'leaving')[] = []
    const page = createPage()
    const subscription = page.visible$.subscribe((isVisible) => facts.push(isVisible))
    subscription.add(page.leaving$.subscribe(() => facts.push('leaving')))
    const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('visible')
    document.dispatchEvent(new Event('visibilitychange'))
    visibility.mockReturnValue('hidden')
    document.dispatchEvent(new Event('visibilitychange'))
    window.dispatchEvent(new Event('pagehide'))
    expect(facts).toEqual([true, false, 'leaving'])
    subscription.unsubscribe()
    visibility.mockRestore()
  })

  test('restored: only from the history', () => {
    const restored = vi.fn()
    const subscription = createPage().restored$.subscribe(restored)
    window.dispatchEvent(Object.assign(new Event('pageshow'), {persisted: false}))
    expect(restored).not.toHaveBeenCalled()
    window.dispatchEvent(Object.assign(new Event('pageshow'), {persisted: true}))
    expect(restored).toHaveBeenCalledOnce()
    subscription.unsubscribe()
  })
})
