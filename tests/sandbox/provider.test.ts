import sharp from 'sharp'
import {describe, expect, test} from 'vitest'
import {errorKinds} from '#domain/error-kinds.ts'
import type {MessageContent} from '#contract/chat.ts'
import {sandboxLine} from '#sandbox/reply.ts'
import {createSandboxChat} from '#sandbox/chat.ts'
import {realSleep} from '#sandbox/sleep.ts'
import {ProviderFailure, type ChatInput, type StoredFile} from '#server/providers/provider.ts'

/** A provider whose pauses pass at once and are remembered. */
function createProvider() {
  const pauses: number[] = []
  let elapsed = 0
  const provider = createSandboxChat({
    clock: () => elapsed,
    sleep: async (milliseconds) => {
      pauses.push(milliseconds)
      elapsed += milliseconds
    },
  })
  return {provider, pauses, elapsed: () => elapsed}
}

const inputOf = (content: MessageContent, changes: Partial<ChatInput> = {}): ChatInput => ({
  run: 'foo-run',
  model: 'sandbox-chatgpt',
  messages: [{role: 'user', content}],
  answerCap: 100,
  signal: new AbortController().signal,
  ...changes,
})

/** The whole answer: its deltas, and how it ended. */
async function ask(content: MessageContent, changes: Partial<ChatInput> = {}) {
  const {provider, pauses, elapsed} = createProvider()
  const deltas: string[] = []
  let end: unknown
  try {
    await provider.chat(inputOf(content, changes), (event) => {
      if (event.type === 'delta') deltas.push(event.text)
      else end = event
      return true
    })
  } catch (error) {
    end = error
  }
  return {text: deltas.join(''), deltas, end, pauses, elapsed: elapsed()}
}
const bodyOf = async (content: MessageContent) => (await ask(content)).text.split('\n\n').slice(1).join('\n\n')

test('offers one model a group, named for what it is', async () => {
  const models = await createProvider().provider.models(new AbortController().signal)
  expect(models.map(({name, label, group}) => ({name, label, group}))).toEqual([
    {name: 'sandbox-chatgpt', label: 'Sandbox (no model)', group: 'chatgpt'},
    {name: 'sandbox-deepseek', label: 'Sandbox (no model)', group: 'deepseek'},
    {name: 'sandbox-grok', label: 'Sandbox (no model)', group: 'grok'},
  ])
})

describe('honesty', () => {
  test.each([
    'hi',
    'How do I add a provider?',
    'Who won the world cup?',
    '/markdown',
    '/think',
    '/long',
    '/slow',
    '/stream 20',
    '/echo foo',
    '/help',
    '/help models',
    '/nonsense',
    '/error',
    '',
  ])('%j is answered with the line first, and in the same way again', async (question) => {
    const first = await ask(question)
    expect(first.text.split('\n')[0]).toBe(sandboxLine)
    expect(first.end).toEqual({type: 'finished'})
    expect(await ask(question)).toEqual(first)
    expect(first.text.length).toBeGreaterThan(sandboxLine.length + 2)
  })

  test('says that it knows nothing, what it can do and how to connect a model', async () => {
    const body = await bodyOf('Who won the football world cup in 1954?')
    expect(body).toContain('I found nothing about this')
    expect(body).toContain('there is no language model')
    expect(body).toContain('OPENAI_BASE_URL')
    expect(body).toContain('Ollama')
  })

  test('only the last message counts', async () => {
    const messages = [
      {role: 'user' as const, content: '/markdown'},
      {role: 'assistant' as const, content: 'foo'},
      {role: 'user' as const, content: '/echo bar'},
    ]
    expect((await ask('', {messages})).text).toBe(`${sandboxLine}\n\nbar`)
  })
})

describe('retrieval', () => {
  test.each([
    ['How do I add a provider?', 'Add a provider'],
    ['how can I connect ollama', 'Use a local model with Ollama, LM Studio or llama.cpp'],
    ['I forgot my password', 'Reset a forgotten password'],
    ['what happens when I lose the network?', 'A lost connection'],
    ['How much does an answer cost?', 'What an answer costs'],
    ['can I upload pictures', 'Attach files to a question'],
    ['how do i make a backup', 'Back up and restore'],
    ['rename a conversation', 'Find, rename and delete a conversation'],
    ['What can the sandbox not do?', 'What the sandbox cannot do'],
    ['what does used_up mean', 'Out of credits'],
    ['dark theme', 'Languages and themes'],
    ['Who can see my conversations?', 'Who can see your conversations'],
  ])('%s → %s', async (question, section) => {
    const body = await bodyOf(question)
    expect(body).toMatch(/^From the help, /)
    expect(body.split('\n')[0]).toContain(`**${section}**`)
    expect(body).toMatch(/^> \S/m)
  })

  test.each([
    'asdf qwer',
    'Write a poem about autumn',
    'translate cat into French',
    'What is the capital of Peru?',
    '???',
    '最好的书是什么',
  ])('%s is not about Atrium', async (question) => {
    expect(await bodyOf(question)).toMatch(/^I found nothing/)
  })
})

describe('commands', () => {
  test.each([...errorKinds, 'forbidden'])('/error %s fails with it before the first word', async (kind) => {
    const {text, end} = await ask(`/error ${kind}`)
    expect(text).toBe('')
    expect(end).toBeInstanceOf(ProviderFailure)
    expect(end).toMatchObject({
      code: kind,
      detail: expect.stringContaining('you asked for it'),
      options: {interrupted: false},
    })
  })

  test('/disconnect breaks off in the middle and keeps what was written', async () => {
    const {text, end} = await ask('/disconnect')
    expect(text).toContain('breaks off in the middle')
    expect(text).toMatch(/\w$/)
    expect(end).toMatchObject({code: 'api_error', options: {interrupted: true}})
  })

  test('/stream writes exactly so many words at 200 a second', async () => {
    const {text, elapsed} = await ask('/stream 1000')
    const words = text
      .split('\n')
      .slice(1)
      .filter((line) => !line.startsWith('#'))
      .join(' ')
      .trim()
      .split(/\s+/)
    expect(words).toHaveLength(1000)
    expect(text.match(/^### .+$/gm)).toEqual(
      Array.from({length: 10}, (_, part) => `### ${part * 100 + 1}–${part * 100 + 100}`),
    )
    const deltas = text.match(/\S+/g)?.length ?? 0
    expect(elapsed).toBeGreaterThan((deltas - 2) * 5)
    expect(elapsed).toBeLessThan(deltas * 5)
  })

  test.each(['/stream 0', '/stream -5', '/stream x', '/stream 20001', '/stream 10 0', '/stream 1e9', '/stream 10 NaN'])(
    '%s is explained',
    async (command) => {
      expect(await bodyOf(command)).toMatch(/^Write `\/stream`/)
    },
  )

  test('/stream at another pace', async () => {
    expect((await ask('/stream 100 10')).elapsed).toBeGreaterThan(9_900)
  })

  test('/slow is slow, usual answers are not', async () => {
    const slow = await ask('/slow')
    expect(slow.elapsed / slow.deltas.length).toBeGreaterThan(300)
    const usual = await ask('How do I add a provider?')
    expect(usual.elapsed / usual.deltas.length).toBeLessThan(20)
  })

  test('/think has its reasoning in <think>', async () => {
    expect(await bodyOf('/think')).toMatch(/^<think>\n[\s\S]+\n<\/think>\n\nAnd this is the answer/)
  })

  test('/markdown arrives whole', async () => {
    expect(await bodyOf('/markdown')).toContain('| Suno | music | 3.50 |')
  })

  test('/long is every help page', async () => {
    const body = await bodyOf('/long')
    for (const title of ['Getting started', 'Models and providers', 'Privacy and security', 'The sandbox'])
      expect(body).toContain(`# ${title}`)
  })

  test('/echo gives back what came, as it came', async () => {
    expect(await bodyOf('/echo  <b>foo</b>\n\n  bar — ünï 🏳️‍🌈')).toBe('<b>foo</b>\n\n  bar — ünï 🏳️‍🌈')
  })

  test('an unknown command lists the known; a path is no command', async () => {
    expect(await bodyOf('/foo')).toMatch(/^There is no command "\/foo"\.[\s\S]+`\/disconnect`/)
    expect(await bodyOf('/constructor')).toMatch(/^There is no command/)
    expect(await bodyOf('/etc/hosts')).toMatch(/^I found nothing/)
  })
})

describe('deltas', () => {
  test('are words, and together the text', async () => {
    const {deltas} = await ask('/echo one two\nthree')
    expect(deltas.slice(-3)).toEqual(['\n\none', ' two', '\nthree'])
  })

  test('text without spaces comes in pieces of whole characters', async () => {
    const long = '𠮷'.repeat(100)
    const {deltas} = await ask(`/echo ${long}`)
    expect(deltas.length).toBeGreaterThan(5)
    expect(deltas.join('')).toContain(long)
    for (const delta of deltas) expect(delta).not.toMatch(/\p{Surrogate}/u)
  })
})

describe('stopping', () => {
  test('ends the answer at once, with the reason of the signal', async () => {
    const controller = new AbortController()
    const reason = new Error('stopped')
    const {provider} = createProvider()
    let count = 0
    const read = provider.chat(inputOf('/long', {signal: controller.signal}), () => {
      count += 1
      if (count === 5) controller.abort(reason)
      return true
    })
    await expect(read).rejects.toBe(reason)
    expect(count).toBe(5)
  })

  test('wakes a real pause, also one that begins after it', async () => {
    const controller = new AbortController()
    const reason = new Error('stopped')
    const sleeping = realSleep(3_600_000, controller.signal)
    controller.abort(reason)
    await expect(sleeping).rejects.toBe(reason)
    await expect(realSleep(3_600_000, controller.signal)).rejects.toBe(reason)
  })
})

describe('attachments', () => {
  const storedFile = (files: Record<string, StoredFile>) => async (url: string) => files[url]
  const file = (name: string, type: string, bytes: Uint8Array): StoredFile => ({
    name,
    type,
    size: bytes.length,
    read: async () => bytes,
  })

  test('facts of images and texts of one’s own', async () => {
    const image = await sharp({create: {width: 320, height: 200, channels: 4, background: '#ff000080'}})
      .png()
      .toBuffer()
    const text = new TextEncoder().encode('one two\nthree')
    const {text: answer, end} = await ask(
      [
        {type: 'text', text: 'How do I add a provider?'},
        {type: 'image_url', image_url: {url: '/a'}},
        {type: 'file_url', file_url: '/b'},
      ],
      {
        storedFile: storedFile({
          '/a': file('fo|o*.png', 'image/png', image),
          '/b': file('bar.txt', 'text/plain', text),
        }),
      },
    )
    expect(end).toEqual({type: 'finished'})
    expect(answer).toContain('| fo\\|o\\*.png | image/png |')
    expect(answer).toContain('320 × 200 pixels, PNG, with transparency')
    expect(answer).toContain('| bar.txt | text/plain | 13 bytes | 2 lines, 3 words |')
    expect(answer).toContain('I cannot see what an image shows')
    expect(answer).toContain('**Add a provider**')
  })

  test('opens nothing that is not an upload of the asker', async () => {
    const content: MessageContent = [{type: 'image_url', image_url: 'https://evil.example/x.png'}]
    expect((await ask(content, {storedFile: storedFile({})})).text).toContain(
      'One address is not an upload of yours here, so nothing was opened.',
    )
    expect((await ask(content)).text).toContain('nothing was opened')
  })

  test('a broken image is said to be one', async () => {
    const broken = file('x.png', 'image/png', new Uint8Array([137, 80, 78, 71, 1, 2, 3]))
    const content: MessageContent = [{type: 'image_url', image_url: '/x'}]
    expect((await ask(content, {storedFile: storedFile({'/x': broken})})).text).toContain('not readable as an image')
  })
})
