import {eq} from 'drizzle-orm'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {nameIn} from '#server/ai/answers/name-conversation.ts'
import {namingInstruction} from '#server/ai/answers/naming-instruction.ts'
import {conversations} from '#server/store/schema/chat.ts'
import {testConfig} from './harness.ts'
import {ask, balanceOf, createAiServer, createAsker, headOf, openStream, post, type AiServer} from './ai.harness.ts'
import {createScriptedProvider} from './scripted-provider.ts'
import {eventually} from '../eventually.ts'

const model = createScriptedProvider()
let on: AiServer

beforeAll(async () => {
  const providers = {...testConfig('').providers, namesConversations: true}
  on = await createAiServer({providers: [model.provider], config: {limitFactor: 100, providers}})
})
afterAll(() => on.close())

/** A first answer that ends well; the call that names its conversation waits. */
async function first(asker: Awaited<ReturnType<typeof createAsker>>) {
  const stream = openStream(await ask(on, asker, {question: 'How tall is **Foo**?'}))
  const turn = await model.next()
  turn.say('<think>hm</think>Two metres')
  turn.usage(10, 5)
  turn.finish()
  const {id} = await headOf(stream)
  await stream.rest()
  return {id, naming: await model.next()}
}
const titleOf = async (id: string) => {
  const [row] = await on.server.deps.database.asSystem((transaction) =>
    transaction.select({title: conversations.title}).from(conversations).where(eq(conversations.id, id)),
  )
  return row?.title
}

test('the model names a conversation once its first answer has ended, from both, and nobody pays for it', async () => {
  const asker = await createAsker(on)
  const {id, naming} = await first(asker)
  const {used} = await balanceOf(on, asker)
  expect(naming.input.messages).toEqual([
    {role: 'system', content: namingInstruction},
    {role: 'user', content: 'How tall is **Foo**?\n\n---\n\nTwo metres'},
  ])
  naming.say('<think>short</think>\n"**The height** of Foo"\nmore')
  naming.usage(100, 100)
  naming.finish()
  await eventually(async () => expect(await titleOf(id)).toBe('The height of Foo'))
  expect((await balanceOf(on, asker)).used).toBe(used)

  const stream = openStream(await ask(on, asker, {question: 'And Bar?', id}))
  const turn = await model.next()
  turn.finish()
  await stream.rest()
  expect(model.unasked()).toBe(true)
})

test('a name that the user gave meanwhile stays', async () => {
  const asker = await createAsker(on)
  const {id, naming} = await first(asker)
  expect((await post(on, asker, {action: 'update', id, title: 'Mine'})).status).toBe(200)
  naming.say('Theirs')
  naming.finish()
  const other = await first(asker)
  other.naming.say('Other')
  other.naming.finish()
  await eventually(async () => expect(await titleOf(other.id)).toBe('Other'))
  expect(await titleOf(id)).toBe('Mine')
})

test('a conversation whose model names nothing keeps none', async () => {
  const asker = await createAsker(on)
  const {id, naming} = await first(asker)
  naming.fail(new Error('foo'))
  const other = await first(asker)
  other.naming.say('Other')
  other.naming.finish()
  await eventually(async () => expect(await titleOf(other.id)).toBe('Other'))
  expect(await titleOf(id)).toBeNull()
})

test.each([
  ['# A *fine* name.', 'A fine name'],
  ['<think>never closed', ''],
  ['\u202e\u0007  name\r\n<b>second</b>', 'name'],
  ['«Имя»', 'Имя'],
  ['x'.repeat(200), `${'x'.repeat(79)}…`],
])('the name of %j is %j', (reply, name) => {
  expect(nameIn(reply)).toBe(name)
})
