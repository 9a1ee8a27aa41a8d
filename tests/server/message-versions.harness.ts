import type {ChatMessage, Conversation} from '#contract/chat.ts'
import {ask, createAiServer, createAsker, openStream, post} from './ai.harness.ts'
import {createScriptedProvider} from './scripted-provider.ts'

/** A server of two scripted models and a user who asks them, for tests of versions, deletions and branches. */
export async function openConversations() {
  const model = createScriptedProvider({}, ['foo-model', 'bar-model'])
  const on = await createAiServer({providers: [model.provider], config: {limitFactor: 100}})
  const asker = await createAsker(on)

  const command = async (body: object, user = asker) => {
    const response = await post(on, user, body)
    // as: the body of a 200 is a conversation; of a refusal only the status is read
    return {status: response.status, conversation: (await response.json()) as Conversation}
  }
  const retrieve = async (id: string) => (await command({action: 'retrieve', id})).conversation

  /** A whole exchange; resolves when the answer is stored. */
  async function exchange(body: Record<string, unknown>, text: string, user = asker) {
    const stream = openStream(await ask(on, user, body))
    const turn = await model.next()
    turn.say(text)
    turn.finish()
    const first = await stream.next()
    if (first === undefined || first.data === '[DONE]') throw new Error('no first frame')
    const {id, message, question} = first.data
    await stream.rest()
    return {
      id: String(id),
      message: String(message),
      question: String(question),
      prompt: turn.input.messages.map(({content}) => content),
    }
  }

  /** one → first → two → second, then `one` answered again as `other`. */
  async function answeredAgain() {
    const {id, message: first, question: one} = await exchange({question: 'one'}, 'first')
    const {message: second, question: two} = await exchange({question: 'two', id}, 'second')
    const again = await exchange({question: 'one', id, version_of: first}, 'other')
    return {id, one, first, two, second, again}
  }

  return {on, asker, model, command, retrieve, exchange, answeredAgain, close: () => on.close()}
}

export const texts = ({messages: path}: Conversation) => path.map(({content}) => content)
export const idOf = (message: ChatMessage | undefined) => message?.id ?? ''
