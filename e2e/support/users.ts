import {createManagementApi} from '#api/management.ts'
import {createOAuthApi} from '#api/oauth.ts'
import {toSessionToken} from '#domain/session-token.ts'
import {cheapHash} from '#tests/server/cheap-hash.ts'
import {inDatabase} from './in-database.ts'
import {Installation} from './installation.ts'

export type User = {email: string; password: string}

export type SignedIn = {
  user: User
  /** The value that the browser keeps under `vuex`: another browser that gets it is signed in there. */
  state: string
}

/** The service of the chat, which is there on every installation. */
export const chatServiceId = 'b1fbcc32-e218-4253-9dc3-4fe600a1bfb9'

let count = 0
export const newUser = (): User => {
  count += 1
  return {email: `user-${process.pid}-${count}@example.test`, password: 'correct horse battery'}
}

/** An account whose password costs next to nothing to check; the first one of an installation is its operator. */
const addAccount = (url: string, {email, password}: User) =>
  inDatabase(Installation.at(url), (client) =>
    client.query(
      `insert into users (email, password_hash, role)
       select $1, $2, case when exists (select from users) then 'member' else 'operator' end`,
      [email, cheapHash(password)],
    ),
  )

/** Sends the form of the login page; gives the code that a page of this installation would come back with. */
async function signInCode(url: string, user: User): Promise<string> {
  const redirect = `${url}/auth/callback?redirect=%2Fchatgpt`
  const page = `${url}/services/auth/auth/login?${new URLSearchParams({redirect}).toString()}`
  const shown = await fetch(page)
  const token = /name="form_token" value="([^"]*)"/.exec(await shown.text())?.[1] ?? ''
  const cookie = shown.headers.getSetCookie().map((line) => line.split(';', 1)[0])
  const answer = await fetch(page, {
    method: 'POST',
    headers: {origin: url, cookie: cookie.join('; ')},
    body: new URLSearchParams({form_token: token, ...user}),
    redirect: 'manual',
  })
  const code = new URL(answer.headers.get('location') ?? '', url).searchParams.get('code')
  if (code === null) throw new Error(`The sign-in was answered with ${answer.status}: ${await answer.text()}`)
  return code
}

/**
 * Makes a user who is signed in, has accepted the terms and can chat, by the calls that the pages make. Costs a
 * twentieth of what it costs to go through the pages: these have journeys of their own.
 */
export async function createUser(url: string): Promise<SignedIn> {
  const user = newUser()
  await addAccount(url, user)
  const code = await signInCode(url, user)
  const fromPage: typeof fetch = (input, init) => {
    const request = new Request(input, init)
    request.headers.set('origin', url)
    return fetch(request)
  }
  const log = (message: string) => {
    throw new Error(message)
  }
  const common = {fetch: fromPage, log}
  const oauth = createOAuthApi({...common, baseUrl: `${url}/services/auth`, headers: () => ({})})
  const tokens = await oauth.exchangeCode({code})
  const management = createManagementApi({
    ...common,
    baseUrl: `${url}/services/platform`,
    headers: () => ({authorization: `Bearer ${tokens.access_token}`}),
    onUnauthorized: () => log('A new user is refused.'),
  })
  const [account, service] = await Promise.all([management.users.me(), management.services.get(chatServiceId)])
  const application = await management.applications.create({type: 'Usage', scope: 'Global', user_id: account.id})
  const credential = await management.credentials.create({application_id: application.id, host: url})
  const state = {
    user: account,
    owner: account.id,
    token: {...toSessionToken(tokens, Date.now()), userId: account.id},
    chat: {service, application, applications: [application], credential},
    _meta: {v: 1, epoch: 0, savedAt: Date.now()},
  }
  return {user, state: JSON.stringify(state)}
}
