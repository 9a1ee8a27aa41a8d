import type {MessageContent} from '#contract/chat.ts'
import {uploadedFile} from '#contract/management.ts'
import {sharedConversation, shareLink} from '#contract/shares.ts'
import {createAuthenticate} from '#server/auth/authenticate.ts'
import {createPageServer} from '#server/http/page.ts'
import {createRouter} from '#server/http/router.ts'
import {platformRoutes} from '#server/platform/platform.routes.ts'
import {conversations, messages} from '#server/store/schema/chat.ts'
import type {TestServer, TestUser} from './harness.ts'
import {ask, base, catalogue} from './platform.fixtures.ts'

const files = {
  serve: async () => undefined,
  indexHtml: '<html><head></head></html>',
  messagesPath: () => undefined,
  assets: () => [],
}
/** The platform and the pages. */
export const handlerOf = (deps: TestServer['deps']) =>
  createRouter(deps, {
    routes: platformRoutes(deps, catalogue),
    authenticate: createAuthenticate(deps),
    servePage: createPageServer(deps, files),
  })

export type Said = {
  role: 'user' | 'assistant' | 'system'
  content: MessageContent
  state?: 'answering' | 'finished' | 'failed'
}
export const owls: Said[] = [
  {role: 'system', content: 'Be secret.'},
  {role: 'user', content: 'What do owls eat?'},
  {role: 'assistant', content: '**Mice**'},
]

/** Conversations and files of this user, and the links to them. */
export function sharesOf(server: TestServer, owner: TestUser) {
  const createConversation = (said: Said[], title: string | null = 'About owls', user = owner) =>
    server.deps.database.asSystem(async (transaction) => {
      const [row] = await transaction
        .insert(conversations)
        .values({userId: user.user.id, model: 'foo', title})
        .returning({id: conversations.id})
      if (row === undefined) throw new Error('no conversation')
      await transaction.insert(messages).values(
        said.map((message, position) => ({
          ...message,
          userId: user.user.id,
          conversationId: row.id,
          position,
          model: message.role === 'assistant' ? 'foo' : null,
        })),
      )
      return row.id
    })
  const upload = async (name: string, content: string, user = owner) => {
    const form = new FormData()
    form.set('file', new File([content], name))
    const response = await server.call('POST', `${base}/files/`, {token: user.accessToken, body: form})
    return uploadedFile.parse(await response.json())
  }
  const post = async (conversation: string, attachments = true, user = owner) =>
    ask(server, 'POST', '/shares/', {
      token: user.accessToken,
      body: {conversation_id: conversation, attachments},
    })
  const share = async (conversation: string, attachments = true) =>
    shareLink.parse((await post(conversation, attachments)).body)
  const open = (id: string) => server.call('GET', `${base}/shares/${id}`, {origin: null})
  const read = async (id: string) => sharedConversation.parse(await (await open(id)).json())
  const revoke = (id: string, user = owner) => ask(server, 'DELETE', `/shares/${id}`, {token: user.accessToken})
  return {createConversation, upload, post, share, open, read, revoke}
}
