import {eq} from 'drizzle-orm'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {placeholderOrigin} from '#server/platform/placeholder-origin.ts'
import {users} from '#server/store/schema/people.ts'
import {sites} from '#server/store/schema/platform.ts'
import {callback, createAuthServer, createBrowser, password, query, registerPath} from './auth-support.ts'
import {testOrigin, type TestServer} from './harness.ts'
import {long} from '../long.ts'

/*
 * A new user has an inviter: money follows from it, so nothing that the author of a link writes may change the site's
 * rule.
 */

const ours = 'https://ai.example.org'
const other = 'https://other.example.org'
const unknown = 'https://no-such-site.example'

async function openInstallation(config: Parameters<typeof createAuthServer>[0] = {}) {
  const server = await createAuthServer(config)
  const make = () => server.createUser({role: 'member'}).then(({user}) => user.id)
  const [forced, linked, standard] = [await make(), await make(), await make()]
  let count = 0
  return {
    server,
    forced,
    linked,
    standard,
    setDistribution: (origin: string, distribution: object) =>
      server.deps.database.asSystem((transaction) =>
        transaction
          .insert(sites)
          .values({origin, distribution})
          .onConflictDoUpdate({target: sites.origin, set: {distribution}}),
      ),
    /** Registers by a link at a page of this origin. */
    inviterOf: async (
      link: Record<string, string | undefined>,
      {at = testOrigin, cookie, headers = {}}: {at?: string; cookie?: string; headers?: Record<string, string>} = {},
    ) => {
      const email = `invitee-${(count += 1)}@example.com`
      const browser = createBrowser(server, cookie === undefined ? {} : {INVITER_ID: cookie})
      const sent = {origin: at, ...headers}
      const answer = await browser.submit(`${at}${registerPath}${query(link)}`, {email, password}, sent)
      expect([200, 303]).toContain(answer.status)
      const [row] = await server.deps.database.asSystem((transaction) =>
        transaction.select().from(users).where(eq(users.email, email)),
      )
      expect(row?.email).toBe(email)
      return row?.inviterId
    },
  }
}

type Installation = Awaited<ReturnType<typeof openInstallation>>

describe('on one’s own machine', () => {
  let on: Installation
  let server: TestServer
  beforeAll(async () => {
    on = await openInstallation()
    server = on.server
  })
  afterAll(() => server.close())

  test('the site’s forced inviter, else the link’s, else the cookie’s, else the site’s default; nobody when it is no account', async () => {
    const {forced, linked, standard, inviterOf} = on
    const setDistribution = async (distribution: object) =>
      on.setDistribution(await placeholderOrigin(server.deps), distribution)
    const redirect = callback
    await setDistribution({default_inviter_id: standard})
    expect(await inviterOf({redirect, inviter_id: linked})).toBe(linked)
    expect(await inviterOf({redirect})).toBe(standard)
    expect(await inviterOf({redirect}, {cookie: forced})).toBe(forced)
    expect(await inviterOf({redirect, inviter_id: linked}, {cookie: forced})).toBe(linked)
    expect(await inviterOf({redirect}, {cookie: 'nobody'})).toBe(standard)
    expect(await inviterOf({redirect, inviter_id: 'undefined'})).toBe(standard)
    await setDistribution({force_inviter_id: forced})
    expect(await inviterOf({redirect, inviter_id: linked}, {cookie: standard})).toBe(forced)
    await setDistribution({})
    expect(await inviterOf({redirect, inviter_id: '11111111-1111-4111-8111-111111111111'})).toBeNull()
  })
})

describe('where others reach the server', () => {
  let on: Installation
  beforeAll(async () => {
    on = await openInstallation({config: {publicOrigins: [ours, 'https://second.example.org'], registration: 'open'}})
    await on.setDistribution(ours, {force_inviter_id: on.forced})
    await on.setDistribution(other, {default_inviter_id: on.standard})
  })
  afterAll(() => on.server.close())
  const redirectTo = (origin: string) => `${origin}/auth/callback?redirect=%2Fchatgpt`

  const givesForced = async (_: string, site: string | undefined) => {
    const link = {redirect: redirectTo(ours), site, inviter_id: on.linked}
    expect(await on.inviterOf(link, {at: ours, cookie: on.standard})).toBe(on.forced)
  }
  const ofSite = 'a link that names as its site %s gives the forced inviter all the same'
  test.each([['another one of the installation', other]])(ofSite, givesForced)
  test.each([
    ['one that does not exist', unknown],
    ['nothing of the sort', 'foo'],
    ['the forcing one', ours],
    ['none', undefined],
  ])(ofSite, long, givesForced)

  const givesThatOfSite = async (_: string, link: object) => {
    expect(await on.inviterOf({...link, site: unknown, inviter_id: on.linked}, {at: ours})).toBe(on.forced)
  }
  const ofWay = 'a link %s gives the forced inviter of the site'
  test.each([
    ['that leads to this machine, where nobody is', {redirect: redirectTo(testOrigin)}],
    ['that leads to a name of ours without a site', {redirect: redirectTo('https://second.example.org')}],
    ['of an embedded page on this machine', {parent_origin: testOrigin}],
  ])(ofWay, givesThatOfSite)
  test.each([
    ['without a way back', {}],
    ['of an embedded page', {parent_origin: ours}],
  ])(ofWay, long, givesThatOfSite)

  const givesThatOfItsOwn = async (_: string, link: object, headers: Record<string, string>) => {
    expect(await on.inviterOf({...link, site: ours, inviter_id: on.linked}, {at: ours, headers})).toBe(on.forced)
  }
  const ofOwnSite = 'a link %s gives the forced inviter of its own site'
  test.each([
    ['at its own address, that is answered at a site without a rule', {redirect: redirectTo(other)}, {}],
    ['with a parent that a window names', {parent_origin: other}, {'sec-fetch-dest': 'document'}],
  ])(ofOwnSite, givesThatOfItsOwn)
  test.each([['with a parent that is no frame', {parent_origin: other}, {}]])(ofOwnSite, long, givesThatOfItsOwn)

  test('a frame in a page of another site has the rule of that page', async () => {
    const headers = {'sec-fetch-dest': 'iframe'}
    expect(await on.inviterOf({parent_origin: other}, {at: ours, headers})).toBe(on.standard)
  })

  test('the page has the name of the site whose rule holds', async () => {
    const titled = (origin: string, title: string) =>
      on.server.deps.database.asSystem((transaction) =>
        transaction.update(sites).set({title}).where(eq(sites.origin, origin)),
      )
    await titled(ours, 'Ours')
    await titled(other, 'Other')
    const page = async (link: Record<string, string>, headers: Record<string, string> = {}) =>
      (await on.server.handle(new Request(`${ours}${registerPath}${query(link)}`, {headers}))).text()
    expect(await page({parent_origin: other, site: other})).toContain('Ours')
    expect(await page({redirect: redirectTo(other), site: other})).not.toContain('Other')
    expect(await page({parent_origin: other, site: ours}, {'sec-fetch-dest': 'iframe'})).toContain('Other')
  })

  test('a frame that names no parent gives the forced inviter', async () => {
    const headers = {'sec-fetch-dest': 'iframe'}
    expect(await on.inviterOf({site: unknown, inviter_id: on.linked}, {at: ours, headers})).toBe(on.forced)
  })

  test('the rule of another site holds for who registers there, whatever the link names', async () => {
    const redirect = redirectTo(other)
    const at = 'https://second.example.org'
    expect(await on.inviterOf({redirect, site: ours, inviter_id: on.linked}, {at})).toBe(on.linked)
    expect(await on.inviterOf({redirect, site: ours}, {at})).toBe(on.standard)
  })
})
