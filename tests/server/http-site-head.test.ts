import {readFileSync} from 'node:fs'
import {resolve} from 'node:path'
import {describe, expect, test} from 'vitest'
import {withSiteHead} from '#server/http/site-head.ts'

/* The page names its site before any script runs. All words of an admin are text. */

const template = readFileSync(resolve(import.meta.dirname, '../../index.html'), 'utf8')
const platform = 'https://files.example.org'
const plain = {title: 'Foo', favicon: null, description: null, keywords: [], features: {}}
const filled = (face: {title?: string; favicon?: string; description?: string; keywords?: string[]} = {}) =>
  withSiteHead(template, {...plain, ...face}, platform)
const headOf = (html: string) => html.slice(0, html.indexOf('</head>'))
const elements = (html: string, name: string) => [...html.matchAll(new RegExp(`<${name}\\b`, 'g'))].length

test('title, description, keywords and icon are those of the site, once each', () => {
  const html = headOf(
    filled({title: ' Foo bar ', description: 'Baz', keywords: ['qux', 'quux'], favicon: '/services/platform/foo.png'}),
  )
  expect(html).toContain('<title>Foo bar</title>')
  expect(html).toContain('<meta name="description" content="Baz" />')
  expect(html).toContain('<meta name="keywords" content="qux,quux" />')
  expect(html).toContain('<link rel="icon" href="/services/platform/foo.png" />')
  expect([...html.matchAll(/rel="icon"/g)].length).toBe(1)
  expect(elements(html, 'title')).toBe(1)
})

test('without a site, or where it says nothing, the page is as it was built', () => {
  expect(withSiteHead(template, undefined, platform)).toBe(template)
  expect(filled({title: ' '})).toBe(template)
})

test.each([
  `/services/platform/api/v1/files/${'a'.repeat(22)}/foo.png`,
  `http://other-name.example.org/services/platform/api/v1/files/${'a'.repeat(22)}/foo.png`,
  `https://files.example.org/api/v1/files/${'a'.repeat(22)}/foo.png`,
])('an uploaded icon is asked of the service of files: %s', (favicon) =>
  expect(filled({favicon})).toContain(
    `<link rel="icon" href="https://files.example.org/api/v1/files/${'a'.repeat(22)}/foo.png" />`,
  ),
)

describe('hostile words stay text', () => {
  test.each([
    '</title><script>alert(1)</script>',
    `"><img src=x onerror=alert(1)>`,
    `' onload='alert(1)`,
    '</head><body onload=alert(1)>',
    '<!-- foo',
    "$& $` $' $1 $<foo>",
    '&lt;script&gt;',
    '`foo`',
  ])('%s', (words) => {
    const html = filled({title: words, description: words, keywords: [words, words]})
    for (const name of ['script', 'img', 'body', 'head', 'meta', 'link', 'title'])
      expect([name, elements(html, name)]).toEqual([name, elements(template, name) + (name === 'meta' ? 2 : 0)])
    const decoded = (text: string | undefined) =>
      text?.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    expect(decoded(/<title>([^<]*)<\/title>/.exec(html)?.[1])).toBe(words)
    expect(decoded(/<meta name="description" content="([^"<>]*)" \/>/.exec(html)?.[1])).toBe(words)
  })

  test.each([
    'javascript:alert(1)',
    'data:image/svg+xml,<svg onload=alert(1)>',
    'https://evil.example/icon.png',
    '//evil.example/icon.png',
    'icon.png',
  ])('%s is no icon', (favicon) => expect(filled({title: ' ', favicon})).toBe(template))
})
