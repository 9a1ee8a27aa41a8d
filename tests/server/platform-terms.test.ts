import {afterAll, beforeAll, expect, test} from 'vitest'
import {testOrigin, type TestServer} from './harness.ts'
import {createPlatform} from './platform.fixtures.ts'

let server: TestServer
beforeAll(async () => {
  server = await createPlatform()
})
afterAll(() => server.close())

const open = (path = '/services/platform/terms', headers: Record<string, string> = {}) =>
  server.call('GET', path, {origin: null, headers})

test('the terms stand open, as a page that loads, sets and frames nothing', async () => {
  const response = await open()
  const page = await response.text()
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(response.headers.getSetCookie()).toEqual([])
  expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  expect(page).toContain('<h1>Terms of use</h1>')
  expect(page.match(/<p class="lead">/g)).toHaveLength(7)
  expect(page).not.toMatch(/<form|(?:src|href)="https?:/)
})

test('they name the site, whatever stands in its title', async () => {
  const {accessToken} = await server.createUser()
  const api = '/services/platform/api/v1/sites/'
  const {id} = await (
    await server.call('POST', `${api}initialize/`, {token: accessToken, body: {origin: testOrigin}})
  ).json()
  await server.call('PUT', `${api}${id}`, {token: accessToken, body: {title: '<b>Foo'}})
  const page = await (await open()).text()
  expect(page).toContain('These terms apply to everybody who uses &lt;b&gt;Foo.')
  expect(page).not.toContain('<b>Foo')
})

test('they follow the language and theme of the cookies', async () => {
  const page = await (await open(undefined, {cookie: 'LOCALE=ar; THEME=dark'})).text()
  expect(page).toMatch(/<html\s+lang="ar"\s+dir="rtl"\s+data-theme="dark"/)
})
