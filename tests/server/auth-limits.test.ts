import {expect, onTestFinished, test} from 'vitest'
import {verifyPassword} from '#server/auth/password.ts'
import {callback, createAuthServer, createBrowser, loginPath, password, query} from './auth-support.ts'
import {testOrigin} from './harness.ts'

const page = `${loginPath}${query({redirect: callback})}`

const standing = new Date()

test('too many attempts are refused as a page that says when to try again', async () => {
  const limited = await createAuthServer({config: {limitFactor: 0.05}, deps: {now: () => standing}})
  const attempt = (count: number) =>
    createBrowser(limited).submit(page, {email: `nobody-${count}@example.com`, password: 'wrong horse battery'})
  expect([(await attempt(1)).status, (await attempt(2)).status]).toEqual([401, 401])
  const last = await attempt(3)
  expect(last.status).toBe(429)
  expect(last.headers.get('retry-after')).toBe('30')
  expect(await last.text()).toContain('Too many attempts. Try again in 1 minute.')
  await limited.close()
})

test('a right password is not counted', async () => {
  const limited = await createAuthServer({config: {limitFactor: 0.1}, deps: {now: () => standing}})
  await limited.createUser({email: 'foo@example.com', password})
  const signIn = () => createBrowser(limited).submit(page, {email: 'foo@example.com', password})
  expect([(await signIn()).status, (await signIn()).status, (await signIn()).status]).toEqual([303, 303, 303])
  await limited.close()
})

test('guesses at one account from one address are bounded, and keep its owner out nowhere else', async () => {
  const limited = await createAuthServer({config: {limitFactor: 0.2}, deps: {now: () => standing}})
  await limited.createUser({email: 'foo@example.com', password})
  const browser = createBrowser(limited)
  const shown = await (await browser.open(page)).text()
  const token = /name="form_token" value="([^"]*)"/.exec(shown)?.[1] ?? ''
  const attempt = async (address: string, email: string, secret = 'wrong horse battery') => {
    const request = new Request(`${testOrigin}${page}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        cookie: `atrium_form=${browser.jar.get('atrium_form')}`,
        origin: testOrigin,
      },
      body: new URLSearchParams({form_token: token, email, password: secret}).toString(),
    })
    return (await limited.handle(request, {address})).status
  }
  const statuses: number[] = []
  for (const secret of ['foo', 'bar', password]) statuses.push(await attempt('2001:db8::1', 'foo@example.com', secret))
  // two wrong ones, then not even the right one from there: guessing stays bounded
  expect(statuses).toEqual([401, 401, 429])
  // the rest of a customer's IPv6 network is the same address
  expect(await attempt('2001:db8:0:0:ffff::2', 'foo@example.com', password)).toBe(429)
  expect(await attempt('2001:db8::1', 'bar@example.com')).toBe(401)
  // the owner at home
  expect(await attempt('2001:db8:0:1::1', 'foo@example.com', password)).toBe(303)
  expect(await attempt('10.0.0.5', 'foo@example.com', password)).toBe(303)
  await limited.close()
})

test('a user who signs in or up while too many do has the form again, with the address, and no try is counted', async () => {
  const limited = await createAuthServer({config: {limitFactor: 0.1}, deps: {now: () => standing}})
  await limited.createUser({email: 'foo@example.com', password})
  const browser = createBrowser(limited)
  // each of them stands in the queue again as soon as its turn is over, so that it stays full
  const cheap = `scrypt$1024$8$1$c2FsdA$${'A'.repeat(43)}`
  let isCrowded = true
  onTestFinished(() => void (isCrowded = false))
  const crowd = Array.from({length: 66}, async () => {
    while (isCrowded) await verifyPassword('wrong horse battery', cheap)
  })
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const answer = await browser.submit(page, {email: 'foo@example.com', password})
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
    const shown = await answer.text()
    expect(shown).toContain('Many people are signing in right now.')
    expect(shown).toContain('value="foo@example.com"')
  }
  isCrowded = false
  await Promise.all(crowd)
  expect((await browser.submit(page, {email: 'foo@example.com', password})).status).toBe(303)
  await limited.close()
})
