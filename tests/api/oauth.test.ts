import {createHash} from 'node:crypto'
import {describe, expect, test} from 'vitest'
import {callbackUrl, loginUrl, logoutUrl, plainLoginUrl} from '#api/login-address.ts'
import {createOAuthApi, loginFrameUrl} from '#api/oauth.ts'
import {createChallenge} from '#api/pkce.ts'
import {createSecret, createUuid} from '#api/random.ts'
import {sha256} from '#api/sha256.ts'
import {toSessionToken} from '#domain/session-token.ts'
import {utf8} from './cuts.ts'
import {createFakeFetch, json} from './fake-fetch.ts'

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

describe('sha256', () => {
  test.each([
    ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
    [
      'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq',
      '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
    ],
    [
      'abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu',
      'cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1',
    ],
  ])('NIST vector %#', (message, digest) => {
    expect(hex(sha256(utf8(message)))).toBe(digest)
  })

  test('a million times a (NIST)', () => {
    expect(hex(sha256(new Uint8Array(1_000_000).fill(0x61)))).toBe(
      'cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0',
    )
  })

  test('agrees with Node at every length around the block borders', () => {
    for (let length = 0; length < 200; length += 1) {
      const message = Uint8Array.from({length}, (_, at) => (at * 31 + length) & 0xff)
      expect(hex(sha256(message))).toBe(createHash('sha256').update(message).digest('hex'))
    }
  })
})

test('the challenge is the same with and without crypto.subtle (RFC 7636, appendix B)', async () => {
  const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
  expect(await createChallenge(verifier)).toBe('E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM')
  expect(await createChallenge(verifier, {})).toBe('E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM')
})

test('secrets and ids', () => {
  expect(createSecret()).toMatch(/^[A-Za-z0-9_-]{43}$/)
  expect(createUuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(new Set(Array.from({length: 100}, createUuid)).size).toBe(100)
})

describe('token endpoint', () => {
  const tokens = {access_token: 'foo', refresh_token: 'bar', expires_in: 900}
  const setUp = (...answers: Parameters<typeof createFakeFetch>) => {
    const fake = createFakeFetch(...answers)
    const oauth = createOAuthApi({
      fetch: fake.fetch,
      baseUrl: 'https://auth.test',
      headers: () => ({'accept-language': 'de'}),
      log: () => undefined,
    })
    return {...fake, oauth}
  }

  test('a foreign auth service receives the code alone', async () => {
    const {oauth, seen} = setUp(json(tokens))
    expect(await oauth.exchangeCode({code: 'c'})).toEqual(tokens)
    expect(seen[0]).toEqual({
      method: 'POST',
      url: 'https://auth.test/oauth2/v1/token',
      body: {code: 'c'},
      headers: {'accept-language': 'de', accept: 'application/json', 'content-type': 'application/json'},
      signal: expect.any(AbortSignal),
      keepalive: false,
    })
    expect(Object.keys(seen[0]?.body as object)).toEqual(['code'])
  })

  test('ours receives verifier and redirect too', async () => {
    const {oauth, seen} = setUp(json(tokens))
    await oauth.exchangeCode({code: 'c', verifier: 'v', redirectUri: 'https://hub.test/auth/callback?redirect=%2F'})
    expect(seen[0]?.body).toEqual({
      code: 'c',
      code_verifier: 'v',
      redirect_uri: 'https://hub.test/auth/callback?redirect=%2F',
    })
  })

  test('refresh and revoke', async () => {
    const {oauth, seen} = setUp(json(tokens), json({}))
    await oauth.refresh('bar')
    await oauth.revoke('bar')
    expect(seen.map(({url, body}) => [url, body])).toEqual([
      ['https://auth.test/oauth2/v1/token', {grant_type: 'refresh_token', refresh_token: 'bar'}],
      ['https://auth.test/oauth2/v1/revoke', {refresh_token: 'bar'}],
    ])
  })

  test('a code is never sent twice', async () => {
    const {oauth, seen} = setUp(new TypeError('fetch failed'))
    await expect(oauth.exchangeCode({code: 'c'})).rejects.toHaveProperty('lost', true)
    expect(seen).toHaveLength(1)
  })

  test.each([
    ['900', 900],
    [0, undefined],
    [-1, undefined],
    [undefined, undefined],
    [null, undefined],
    ['soon', undefined],
  ])('expires_in %j does not fail the sign-in', async (expires_in, read) => {
    const {oauth} = setUp(json({...tokens, expires_in}))
    const answer = await oauth.exchangeCode({code: 'c'})
    expect(answer).toEqual({...tokens, expires_in: read})
    // what the service does not say is a quarter of an hour, so that it is not refreshed again and again
    expect(toSessionToken(answer, 0)).toEqual({
      access: 'foo',
      refresh: 'bar',
      expiration: read ?? 900,
      receivedAt: 0,
      refreshAt: 720_000,
    })
  })

  test('an answer without a token is a failure', async () => {
    const {oauth} = setUp(json({access_token: '', expires_in: 900}))
    await expect(oauth.exchangeCode({code: 'c'})).rejects.toHaveProperty('code', 'unknown')
  })
})

describe('addresses', () => {
  const address = {
    auth: 'https://auth.test',
    hub: 'https://hub.test',
    site: 'https://site.test',
    inviterId: 'u-1',
    returnPath: '/chatgpt?a=b&c=ç',
  }

  test('login as the specification has it, with nothing of ours', () => {
    const url = new URL(loginUrl(address))
    expect(`${url.origin}${url.pathname}`).toBe('https://auth.test/auth/login')
    expect(Object.fromEntries(url.searchParams)).toEqual({
      site: 'https://site.test',
      inviter_id: 'u-1',
      redirect: 'https://hub.test/auth/callback?redirect=%2Fchatgpt%3Fa%3Db%26c%3D%C3%A7',
    })
    expect(new URL(loginUrl({...address, inviterId: undefined})).searchParams.has('inviter_id')).toBe(false)
  })

  test('login with state, challenge, language and theme where they are offered', () => {
    const extension = {state: 's', challenge: 'c', language: 'de', theme: 'light'}
    const {searchParams} = new URL(loginUrl({...address, extension}))
    expect(Object.fromEntries(searchParams)).toEqual({
      state: 's',
      code_challenge: 'c',
      code_challenge_method: 'S256',
      lang: 'de',
      theme: 'light',
      site: 'https://site.test',
      inviter_id: 'u-1',
      redirect: 'https://hub.test/auth/callback?redirect=%2Fchatgpt%3Fa%3Db%26c%3D%C3%A7&state=s',
    })
    const callback = new URL(searchParams.get('redirect') ?? '')
    expect(Object.fromEntries(callback.searchParams)).toEqual({redirect: '/chatgpt?a=b&c=ç', state: 's'})
    expect(callback.href).toBe(callbackUrl({...address, extension}))
    const deleted = new URL(loginUrl({...address, extension: {...extension, reason: 'deleted'}}))
    expect([searchParams.has('reason'), deleted.searchParams.get('reason')]).toEqual([false, 'deleted'])
  })

  test('the embedded page', () => {
    expect(loginFrameUrl({auth: 'https://auth.test'})).toBe('https://auth.test/auth/login')
    expect(loginFrameUrl({auth: 'https://auth.test', inviterId: 'u-1'})).toBe(
      'https://auth.test/auth/login?inviter_id=u-1',
    )
    const extension = {parentOrigin: 'https://hub.test', state: 's'}
    expect(loginFrameUrl({auth: 'https://auth.test', extension})).toBe(
      'https://auth.test/auth/login?parent_origin=https%3A%2F%2Fhub.test&state=s',
    )
  })

  test('logout nests the login page, each level encoded once', () => {
    const here = 'https://hub.test/chatgpt?a=b'
    const outer = new URL(logoutUrl('https://auth.test', plainLoginUrl('https://auth.test', here)))
    expect(outer.pathname).toBe('/auth/logout')
    const inner = new URL(outer.searchParams.get('redirect') ?? '')
    expect(inner.pathname).toBe('/auth/login')
    expect(inner.searchParams.get('redirect')).toBe(here)
    expect([...outer.searchParams.keys()]).toEqual(['redirect'])
    const opening = new URL(logoutUrl('https://auth.test', 'https://auth.test/auth/login', true))
    expect(Object.fromEntries(opening.searchParams)).toEqual({
      redirect: 'https://auth.test/auth/login',
      reason: 'opening',
    })
  })
})
