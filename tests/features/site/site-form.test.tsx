import {screen, waitFor, within} from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import {useSelector} from '@xstate/react'
import {expect, test} from 'vitest'
import {createActor, fromPromise} from 'xstate'
import type {Site} from '#contract/management.ts'
import {SiteForm} from '#features/site/site-form.tsx'
import {siteFormMachine} from '#machines/site-form/site-form.machine.ts'
import type {ChosenFile} from '#machines/upload/upload.types.ts'
// loaded beforehand, so that a busy machine does not wait for it inside a test
import '#ui/overlays/tooltip-overlay.tsx'
import {renderView} from '../shell/render.tsx'
import {stopAfterTest} from '#tests/stop-after-test.ts'

const site: Site = {
  id: 'foo',
  origin: 'https://foo.test',
  title: 'Foo',
  keywords: ['one'],
  admins: ['u-1'],
  features: {chatgpt: {enabled: true}},
}
const tools = [
  {id: 'chatgpt', name: 'ChatGPT'},
  {id: 'suno', name: 'Suno'},
]

type Ports = {read?: () => Promise<Site>; save?: (site: Site) => Promise<Site>; upload?: () => Promise<string>}

async function show({
  read = async () => site,
  save = async (written) => written,
  upload = async () => 'https://foo.test/p.png',
}: Ports = {}) {
  const sent: Site[] = []
  const machine = siteFormMachine.provide({
    actors: {
      readSite: fromPromise<Site | undefined, {origin: string}>(read),
      saveSite: fromPromise<Site, {site: Site}>(({input}) => {
        sent.push(input.site)
        return save(input.site)
      }),
      uploadImage: fromPromise<string, {file: ChosenFile}>(upload),
    },
    actions: {shareSite: () => undefined},
  })
  const actor = createActor(machine, {
    input: {origin: 'https://foo.test', userId: 'u-1', toolIds: tools.map(({id}) => id)},
  }).start()
  stopAfterTest(actor)
  await waitFor(() => expect(actor.getSnapshot().hasTag('open')).toBe(true))
  function View() {
    const snapshot = useSelector(actor, (current) => current)
    const {send} = actor
    return (
      <SiteForm
        snapshot={snapshot}
        send={send}
        tools={tools}
        onImage={(field, {name, type, size}) => send({type: 'image.choose', field, file: {id: 'p', name, type, size}})}
      />
    )
  }
  await renderView(<View />)
  await screen.findByRole('textbox', {name: /^Title/})
  return {sent}
}
const field = (name: RegExp | string) => screen.getByRole<HTMLInputElement>('textbox', {name})
const save = () => userEvent.click(screen.getByRole('button', {name: 'Save'}))
const wordsOf = (label: string) =>
  [...(field(label).parentElement?.querySelectorAll('li') ?? [])].map((item) => item.textContent)

test('the form says what the site says and offers nothing to save', async () => {
  await show()
  expect([field(/^Title/).value, wordsOf('Keywords'), wordsOf('Admins')]).toEqual(['Foo', ['one'], ['u-1']])
  expect(screen.getAllByText('https://foo.test')).toHaveLength(2)
  expect(screen.getByRole<HTMLInputElement>('switch', {name: 'ChatGPT'}).checked).toBe(true)
  expect(screen.getByRole<HTMLInputElement>('switch', {name: 'Suno'}).checked).toBe(false)
  expect(screen.queryByRole('button', {name: 'Save'})).toBeNull()
})

test('what was typed goes as one whole site; afterwards nothing is left to save', async () => {
  const {sent} = await show()
  const user = userEvent.setup()
  await user.clear(field(/^Title/))
  await user.type(field(/^Title/), 'Bar')
  await user.type(field(/^Description/), 'Words')
  await user.type(field('Keywords'), 'two,three{Enter}')
  await user.type(field('Forced inviter'), 'u-2')
  await user.click(screen.getByRole('switch', {name: 'Suno'}))
  await save()
  await waitFor(() => expect(screen.queryByRole('button', {name: 'Save'})).toBeNull())
  expect(sent).toEqual([
    {
      ...site,
      title: 'Bar',
      description: 'Words',
      keywords: ['one', 'two', 'three'],
      distribution: {default_inviter_id: '', force_inviter_id: 'u-2'},
      features: {chatgpt: {enabled: true}, suno: {enabled: true}},
    },
  ])
})

test('Enter saves, Discard gives up', async () => {
  const {sent} = await show()
  await userEvent.type(field(/^Title/), '!')
  await userEvent.click(screen.getByRole('button', {name: 'Discard'}))
  expect([field(/^Title/).value, sent]).toEqual(['Foo', []])
  await userEvent.type(field(/^Title/), '?{Enter}')
  await waitFor(() => expect(sent.map(({title}) => title)).toEqual(['Foo?']))
})

test('words: a pasted list is cut, each can be removed, Backspace takes the last', async () => {
  await show()
  const user = userEvent.setup()
  await user.click(field('Keywords'))
  await user.paste('two, three\nfour')
  expect(wordsOf('Keywords')).toEqual(['one', 'two', 'three', 'four'])
  await user.click(screen.getByRole('button', {name: 'Remove two'}))
  await user.type(field('Keywords'), '{Backspace}')
  expect(wordsOf('Keywords')).toEqual(['one', 'three'])
})

test('the last admin stays: the form says why it is not saved', async () => {
  await show()
  await userEvent.click(screen.getByRole('button', {name: 'Remove u-1'}))
  expect(field('Admins').getAttribute('aria-invalid')).toBe('true')
  expect(screen.getByText('A site keeps at least one admin.')).toBeVisible()
  expect(screen.getByRole<HTMLButtonElement>('button', {name: 'Save'}).disabled).toBe(true)
})

test('another user saved meanwhile: what was typed is shown on their site, and saved by the same button', async () => {
  const stale = Object.assign(new Error('foo'), {status: 409, code: 'conflict', detail: 'foo'})
  let known: Site = {...site, updated_at: '1'}
  const {sent} = await show({
    read: async () => known,
    save: async (written) => {
      if (written.updated_at === '2') return (known = {...written, updated_at: '3'})
      known = {...site, description: 'Theirs', updated_at: '2'}
      throw stale
    },
  })
  await userEvent.type(field(/^Title/), '!')
  await save()
  expect((await screen.findByRole('alert')).textContent).toBe(
    'This site was changed meanwhile, by somebody else or in another tab. What you changed is still here: check it and save again.',
  )
  expect([field(/^Title/).value, field(/^Description/).value]).toEqual(['Foo!', 'Theirs'])
  await save()
  await screen.findByText('The site is saved.')
  expect(sent.at(-1)).toEqual({
    title: 'Foo!',
    description: 'Theirs',
    updated_at: '2',
    id: 'foo',
    origin: 'https://foo.test',
    keywords: ['one'],
    admins: ['u-1'],
    features: {chatgpt: {enabled: true}},
  })
})

test.each([
  [{status: 400, code: 'bad_request', detail: 'An inviter is foo.'}, ' An inviter is foo.'],
  [{status: 503, code: 'busy', detail: 'foo'}, ' The server is busy. Try again in a moment.'],
  [{status: 500, code: 'api_error', detail: 'Internal foo'}, ' '],
  [{code: 'unknown', detail: 'Failed to fetch', lost: true}, ' '],
])('a save that fails says why in words for people: %j', async (failure, reason) => {
  await show({save: () => Promise.reject(Object.assign(new Error('foo'), failure))})
  await userEvent.type(field(/^Title/), '!')
  await save()
  expect((await screen.findByRole('alert')).textContent).toBe(
    `The changes couldn't be saved. They are still here.${reason}`,
  )
  expect(screen.getByRole<HTMLButtonElement>('button', {name: 'Save'}).disabled).toBe(false)
  await userEvent.type(field(/^Title/), '?')
  expect(screen.queryByRole('alert')).toBeNull()
  expect(screen.getByText('Changes are not saved yet.')).toBeTruthy()
})

test('a image is uploaded and shown; another kind of file is refused', async () => {
  await show()
  const logo = within(screen.getByRole('group', {name: 'Logo'}))
  const picker = logo.getByLabelText('Logo')
  await userEvent.upload(picker, new File(['foo'], 'foo.pdf', {type: 'application/pdf'}), {applyAccept: false})
  expect(screen.getByText('Choose a PNG, JPEG, WebP or GIF image.')).toBeVisible()
  await userEvent.upload(picker, new File(['foo'], 'foo.png', {type: 'image/png'}))
  await waitFor(() => expect(document.querySelector('img')?.src).toBe('https://foo.test/p.png'))
  await userEvent.click(logo.getByRole('button', {name: 'Remove'}))
  expect(document.querySelector('img')).toBeNull()
})

test('what search engines show of the site is seen while it is typed', async () => {
  await show()
  const preview = screen.getByRole('figure', {name: 'As a search result'})
  expect(preview.textContent).toContain('Without a description')
  const description = field(/^Description/)
  expect(description.labels?.[0]?.parentElement?.textContent).toContain('0 / 160')
  await userEvent.click(description)
  await userEvent.paste(`${'word '.repeat(40)}end`)
  await userEvent.type(field(/^Title/), ' & Bar')
  expect(preview.textContent).toContain('https://foo.testFoo & Bar')
  expect(preview.textContent?.match(/word/g)).toHaveLength(32)
  expect(preview.textContent).not.toContain('end')
  expect(description.labels?.[0]?.parentElement?.textContent).toContain('203 / 160')
  expect(screen.getByRole<HTMLButtonElement>('button', {name: 'Save'}).disabled).toBe(false)
})
