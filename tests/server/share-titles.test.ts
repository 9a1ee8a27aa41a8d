import {eq} from 'drizzle-orm'
import {afterAll, beforeAll, beforeEach, describe, expect, test} from 'vitest'
import {shares as sharesTable} from '#server/store/schema/shares.ts'
import {createTestServer, type TestServer} from './harness.ts'
import {handlerOf, owls, sharesOf, type Said} from './shares.fixtures.ts'

let server: TestServer
let shares: ReturnType<typeof sharesOf>
beforeAll(async () => {
  server = await createTestServer({handler: handlerOf})
  await server.createUser()
})
afterAll(() => server.close())
beforeEach(async () => {
  shares = sharesOf(server, await server.createUser())
})

describe('a shared link has no address of a file in its title', () => {
  const titles = async (said: Said[], title: string | null = null) => {
    const conversation = await shares.createConversation(said, title)
    const links = [await shares.share(conversation), await shares.share(conversation, false)]
    const read = await Promise.all(links.map(async ({id}) => (await shares.read(id)).title))
    return [...links.map((link) => link.title), ...read]
  }

  test('whether it is made from the question or the name that the user gave', async () => {
    const {file_url: address} = await shares.upload('secret.pdf', '%PDF-1.7')
    const question: Said = {role: 'user', content: `${address} what is\n# this?`}
    for (const asked of [
      question,
      {...question, content: [{type: 'text' as const, text: `${address} what is\n# this?`}]},
    ])
      expect(await titles([asked])).toEqual(Array(4).fill('what is this?'))
    expect(await titles(owls, `About ${new URL(address).pathname}`)).toEqual(Array(4).fill('About'))
    // a name that a client made of the beginning of a question
    expect(await titles(owls, `Owls ${address.replace(/(?<=files.{22}).*/, '')}…`)).toEqual(Array(4).fill('Owls'))
    expect(await titles([{role: 'user', content: address}], address)).toEqual(Array(4).fill(undefined))
    // a path of another service
    const path = 'What does /api/v1/files/upload answer?'
    expect(await titles([{role: 'user', content: path}])).toEqual(Array(4).fill(path))
  })

  test('also where a link from before the update has one', async () => {
    const {file_url: address} = await shares.upload('secret.pdf', '%PDF-1.7')
    const {id} = await shares.share(await shares.createConversation(owls))
    await server.deps.database.asSystem((transaction) =>
      transaction
        .update(sharesTable)
        .set({title: `See ${address}`})
        .where(eq(sharesTable.id, id)),
    )
    expect((await shares.read(id)).title).toBe('See')
  })
})
