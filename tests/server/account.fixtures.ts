import {issueTokens} from '#server/auth/tokens.ts'
import {testOrigin, type TestServer, type TestUser} from './harness.ts'
import {ask, base} from './platform.fixtures.ts'

export const password = 'present password'

/** Acts as users with accounts at `server`, which tests open before each or all of them. */
export function createAccounts(server: () => TestServer) {
  const post = (user: TestUser, path: string, body: object) =>
    ask(server(), 'POST', path, {token: user.accessToken, body})
  const createKey = async (user: TestUser, body: object = {}) => {
    const {body: application} = await post(user, '/applications/', {type: 'Usage', scope: 'Global'})
    const id =
      application.id ?? (await ask(server(), 'GET', '/applications/', {token: user.accessToken})).body.items[0].id
    return (await post(user, '/credentials/', {application_id: id, ...body})).body
  }
  return {
    post,
    createKey,
    createUser: () => server().createUser({password}),
    me: (token: string) => ask(server(), 'GET', '/users/me', {token}),
    signIn: (user: TestUser, agent?: string) =>
      issueTokens(server().deps, {userId: user.user.id, client: testOrigin, agent}),
    retrieve: (token: string) =>
      server().call('POST', '/services/api/aichat/conversations', {token, body: {action: 'retrieve_batch'}}),
    /** An order of credits with an open payment of the simulation. */
    orderCredits: async (user: TestUser, description: string) => {
      const key = await createKey(user)
      const {body: made} = await post(user, '/orders/', {application_id: key.application_id, amount: 100, description})
      const {body} = await post(user, `/orders/${made.id}/pay/`, {pay_way: 'Sandbox', redirect: '/chat?mine'})
      return {id: made.id as string, price: made.price as number, url: body.pay_url as string}
    },
    upload: async (user: TestUser, name: string, content: BlobPart) => {
      const form = new FormData()
      form.set('file', new File([content], name))
      return (await server().call('POST', `${base}/files/`, {token: user.accessToken, body: form})).json()
    },
  }
}
