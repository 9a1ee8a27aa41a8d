import {describe, expect, test} from 'vitest'
import {errorKinds} from '#domain/error-kinds.ts'
import {sandboxLine} from '#sandbox/reply.ts'
import {ProviderFailure} from '#server/providers/provider.ts'
import {createProvider, ask, bodyOf} from './provider.harness.ts'

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
