import {act, fireEvent, screen, within} from '@testing-library/react'
import {describe, expect, test} from 'vitest'
import {attach} from './attached-files.ts'
import {pdf, showChat} from './draft-files-fixture.tsx'

describe('models for the files of a draft', () => {
  test('where no model of the group takes them, text and files go to a new chat with one of another group', async () => {
    const served = [
      {name: 'gpt-5-all', group: 'chatgpt', provider: 'p', isImageSupported: true} as const,
      {name: 'grok-4', group: 'grok', provider: 'p', isFileSupported: true} as const,
      {name: 'deepseek-v3', group: 'deepseek', provider: 'p', isFileSupported: true} as const,
    ]
    const {sent, drafts, chat, chosen, visited} = await showChat('a', served)
    fireEvent.change(screen.getByRole('textbox', {name: 'Message'}), {target: {value: 'read it'}})
    attach(pdf('a.pdf'))
    const first = await sent('a.pdf')
    // deepseek is not offered by this site
    expect(screen.queryByRole('button', {name: /DeepSeek/})).toBeNull()
    fireEvent.click(screen.getByRole('button', {name: 'New chat with Grok 4 (Grok)'}))
    expect(chosen.at(-1)).toBe('grok-4')
    expect(visited.at(-1)).toEqual({group: 'grok', conversation: undefined})
    expect(screen.getByRole<HTMLTextAreaElement>('textbox', {name: 'Message'}).value).toBe('')
    expect(screen.queryByText('a.pdf')).toBeNull()
    await act(async () => first.finish())
    expect(first.signal.aborted).toBe(false)
    expect(drafts.get('new/grok')).toEqual({
      text: 'read it',
      references: [{url: 'https://hub.example/files/a.pdf', name: 'a.pdf', size: 3}],
    })
    expect([drafts.get('a'), [...chat.files.opened.get().keys()]]).toEqual([undefined, ['new/grok']])
  })

  test('the field says once who can open what is attached, where a file of this server is among it', async () => {
    const {sent, chat, goTo} = await showChat('a')
    const note = () => screen.queryAllByText('Whoever has the address of an attached file can open it.')
    attach(pdf('a.pdf'), pdf('b.pdf'))
    const [first, second] = [await sent('a.pdf'), await sent('b.pdf')]
    expect(note()).toEqual([])
    await act(async () => first.finish())
    await act(async () => second.finish())
    expect(note()).toHaveLength(1)
    const foreign = {url: 'https://foo.example/c.pdf', name: 'c.pdf', size: undefined}
    chat.drafts.write('b', {text: 'foo', references: [foreign]})
    goTo('b')
    await screen.findByText('c.pdf')
    expect(note()).toEqual([])
  })

  const sandbox = {label: 'Sandbox (no model)', provider: 'sandbox', isFileSupported: true}

  const ofSandbox = [
    {name: 'gpt-5-all', group: 'chatgpt', provider: 'p', isImageSupported: true} as const,
    {...sandbox, name: 'sandbox-chatgpt', group: 'chatgpt'} as const,
    {...sandbox, name: 'sandbox-grok', group: 'grok'} as const,
  ]

  const offers = () =>
    within(screen.getByRole('group', {name: /model/i}))
      .getAllByRole('button')
      .map(({textContent}) => textContent)

  test('the sandbox is no model: it is not offered for files beside models', async () => {
    await showChat('a', [...ofSandbox, {name: 'grok-4', group: 'grok', provider: 'p', isFileSupported: true}])
    attach(pdf('a.pdf'))
    await screen.findByText('a.pdf')
    expect(offers()).toEqual(['New chat with Grok 4 (Grok)'])
  })

  test('where no model takes files the sandbox is offered, once', async () => {
    await showChat('a', ofSandbox)
    attach(pdf('a.pdf'))
    await screen.findByText('a.pdf')
    expect(offers()).toEqual(['Use Sandbox (no model)'])
  })
})
