import {act, fireEvent, render, screen, waitFor} from '@testing-library/react'
import {describe, expect, test} from 'vitest'
import {Markdown} from '#features/chat/markdown/markdown.tsx'
import {MediaPolicyContext, type MediaPolicy} from '#features/chat/markdown/media-origins.ts'
import {TextProvider, renderView} from '#tests/ui/render.tsx'
import {eventually} from '../../eventually.ts'

describe('media', () => {
  const policy = {
    pageOrigin: 'https://hub.example',
    ownFiles: ['https://hub.example/files/', 'https://files.example/api/v1/files/'],
    foreignImages: true as MediaPolicy['foreignImages'],
  }
  const viewOf = (text: string, changes: Partial<typeof policy> = {}, id?: string) => (
    <TextProvider>
      <MediaPolicyContext value={{...policy, ...changes}}>
        <Markdown text={text} id={id} />
      </MediaPolicyContext>
    </TextProvider>
  )
  const show = (text: string, changes: Partial<typeof policy> = {}) => renderView(viewOf(text, changes))

  test('a foreign image makes no request until asked, and names its host', () => {
    const {container} = show('![a cat](https://foo.example/cat.png?secret=1)')
    expect(container.querySelector('img')).toBeNull()
    expect(screen.getByText('a cat')).toBeVisible()
    fireEvent.click(screen.getByRole('button', {name: 'Load from foo.example'}))
    const image = screen.getByRole('img', {name: 'a cat'})
    expect(image.getAttribute('src')).toBe('https://foo.example/cat.png?secret=1')
    expect(image.getAttribute('referrerpolicy')).toBe('no-referrer')
    fireEvent.error(image)
    expect(screen.getByText("This image can't be shown here.")).toBeVisible()
    expect(screen.getByRole('link', {name: 'foo.example'})).toBeVisible()
  })

  /** Says what the frame says; the test document opens no page in a frame. */
  const reporter = (frame: HTMLIFrameElement) => {
    const frameWindow = new EventTarget()
    Object.defineProperty(frame, 'contentWindow', {value: frameWindow})
    return (data: unknown, origin = 'null') =>
      act(() => {
        // as: nothing but its identity counts
        const source = frameWindow as Window
        window.dispatchEvent(new MessageEvent('message', {data, origin, source}))
      })
  }

  test('a page of our server loads a foreign image in a frame, after a press', async () => {
    const {container} = show('![a cat](https://foo.example/cat.png?secret=1)', {foreignImages: 'framed'})
    expect(container.querySelector('img, iframe')).toBeNull()
    expect(screen.getByRole('link', {name: 'Open at foo.example'})).toBeVisible()
    const key = screen.getByRole('button', {name: 'Load from foo.example'})
    key.focus()
    fireEvent.click(key)
    const frame = await screen.findByTitle<HTMLIFrameElement>('a cat')
    expect(frame.getAttributeNames().map((name) => [name, frame.getAttribute(name)])).toEqual(
      expect.arrayContaining([
        ['src', '/image-frame.html'],
        ['sandbox', 'allow-scripts'],
        ['referrerpolicy', 'no-referrer'],
        ['credentialless', ''],
      ]),
    )
    expect(frame.getAttribute('src')).not.toContain('foo.example')
    await waitFor(() => expect(screen.getByRole('link', {name: 'Open at foo.example'})).toBe(document.activeElement))

    const report = reporter(frame)
    report({type: 'image.asked'})
    report({type: 'image.loaded', width: 800, height: 1_680}, 'https://foo.example')
    expect(frame.parentElement?.getAttribute('aria-busy')).toBe('true')
    report({type: 'image.loaded', width: 800, height: 1_680})
    // the chart takes what came before its start when it starts
    await eventually(() => expect(frame.parentElement?.getAttribute('aria-busy')).toBe('false'))
    expect([frame.parentElement?.style.inlineSize, frame.parentElement?.style.aspectRatio]).toEqual([
      '200px',
      '800 / 1680',
    ])
  })

  test.each([true, 'framed'] as const)(
    'a press loads one image, and none that takes its position in another version (%s)',
    async (foreignImages) => {
      const {container, rerender} = show('![a cat](https://foo.example/cat.png)', {foreignImages})
      fireEvent.click(screen.getByRole('button', {name: 'Load from foo.example'}))
      await waitFor(() => expect(container.querySelector('img, iframe')).not.toBeNull())
      rerender(viewOf('![a dog](https://evil.example/dog.png?secret=1)', {foreignImages}))
      expect(container.querySelector('img, iframe')).toBeNull()
      expect(screen.getByRole('button', {name: 'Load from evil.example'})).toBeVisible()
    },
  )

  test('an image that was shown is shown again where its row comes back, in no other message', async () => {
    const text = '![a cat](https://foo.example/cat.png)'
    const openRow = (id: string) => render(viewOf(text, {foreignImages: 'framed'}, id))
    const first = openRow('shown')
    fireEvent.click(screen.getByRole('button', {name: 'Load from foo.example'}))
    const frame = await screen.findByTitle<HTMLIFrameElement>('a cat')
    const report = reporter(frame)
    report({type: 'image.asked'})
    report({type: 'image.loaded', width: 300, height: 150})
    await eventually(() => expect(frame.parentElement?.getAttribute('aria-busy')).toBe('false'))
    first.unmount()
    const again = openRow('shown')
    // its room at once
    expect(screen.getByTitle('a cat').parentElement?.style.inlineSize).toBe('300px')
    again.unmount()
    openRow('other')
    expect(screen.queryByTitle('a cat')).toBeNull()
  })

  test('an image that was not shown asks again where its row comes back', async () => {
    const text = '![a cat](https://foo.example/lost.png)'
    const openRow = () => render(viewOf(text, {foreignImages: 'framed'}, 'failed'))
    const first = openRow()
    fireEvent.click(screen.getByRole('button', {name: 'Load from foo.example'}))
    const report = reporter(await screen.findByTitle<HTMLIFrameElement>('a cat'))
    report({type: 'image.asked'})
    report({type: 'image.failed'})
    await eventually(() => expect(screen.getByRole('status').textContent).toBe("This image can't be shown here."))
    first.unmount()
    openRow()
    expect(screen.queryByTitle('a cat')).toBeNull()
  })

  test('an image that fails in its frame is tried again in a new one', async () => {
    show('![a cat](https://foo.example/cat.png)', {foreignImages: 'framed'})
    fireEvent.click(screen.getByRole('button', {name: 'Load from foo.example'}))
    const frame = await screen.findByTitle<HTMLIFrameElement>('a cat')
    const report = reporter(frame)
    report({type: 'image.asked'})
    report({type: 'image.failed'})
    await eventually(() => expect(screen.getByRole('status').textContent).toBe("This image can't be shown here."))
    expect(screen.getByRole('link', {name: 'Open at foo.example'}).textContent).toBe('foo.example')
    fireEvent.click(screen.getByRole('button', {name: 'Retry'}))
    const nextFrame = screen.getByTitle('a cat')
    expect(nextFrame).not.toBe(frame)
    expect(screen.getByRole('link', {name: 'Open at foo.example'})).toBe(document.activeElement)
  })

  test.each(['http://foo.example/cat.png', 'https://hub.example/auth/logout', 'http://localhost:8188/view'])(
    'what no frame may show opens at its host: %s',
    (address) => {
      show(`![a cat](${address})`, {foreignImages: 'framed'})
      expect(screen.queryByRole('button')).toBeNull()
      expect(screen.getByRole('link', {name: `Open at ${new URL(address).host}`})).toBeVisible()
    },
  )

  test('where the policy of the page keeps foreign images out, it opens at its host', () => {
    const {container} = show('![a cat](https://foo.example/cat.png)', {foreignImages: false})
    expect(container.querySelector('img')).toBeNull()
    expect(screen.queryByRole('button')).toBeNull()
    const link = screen.getByRole('link', {name: 'Open at foo.example'})
    expect(['href', 'target', 'rel'].map((name) => link.getAttribute(name))).toEqual([
      'https://foo.example/cat.png',
      '_blank',
      'noopener noreferrer nofollow ugc',
    ])
  })

  test('files of ours show', () => {
    show('![one](/files/1.png) ![two](https://files.example/api/v1/files/f/2.png)')
    expect(screen.getAllByRole('img').map((image) => image.getAttribute('src'))).toEqual([
      'https://hub.example/files/1.png',
      'https://files.example/api/v1/files/f/2.png',
    ])
  })

  test('a shown image opens in a new tab, and one in a link is part of that link', () => {
    const {container} = show(
      '![one](/files/1.png) ![](/files/2.png) [**![three](/files/3.png)**](https://foo.example/)',
    )
    const links = screen.getAllByRole('link')
    expect(links.map((link) => [link.getAttribute('href'), link.getAttribute('aria-label')])).toEqual([
      ['https://hub.example/files/1.png', 'one'],
      ['https://hub.example/files/2.png', 'Image'],
      ['https://foo.example/', null],
    ])
    expect(new Set(links.map((link) => `${link.getAttribute('target')} ${link.getAttribute('rel')}`))).toEqual(
      new Set(['_blank noopener noreferrer nofollow ugc']),
    )
    expect(container.querySelector('a a')).toBeNull()
  })

  test('an image in a link that cannot be shown is part of that link too', () => {
    const text = '[![one](/files/1.png)](https://foo.example/) [![two](http://bar.example/2.png)](https://foo.example/)'
    const {container} = show(text, {foreignImages: 'framed'})
    fireEvent.error(screen.getByRole('img', {name: 'one'}))
    expect(screen.getByText("This image can't be shown here.")).toBeVisible()
    expect(screen.getByText('two')).toBeVisible()
    expect(container.querySelector('a a')).toBeNull()
  })

  test.each([
    ['an English one', '![A boat at sea](https://foo.example/boat.png)', 'ltr'],
    ['an Arabic one', '![قارب في البحر](https://foo.example/boat.png)', 'rtl'],
    ['one in a link', '[![2 boats](https://foo.example/boat.png)](https://bar.example/)', 'ltr'],
    ['one without a description', '![](https://foo.example/boat.png)', null],
    ['one of our own', '![قارب](/files/1.png)', 'rtl'],
    ['one beside words', 'Look: ![قارب](https://foo.example/boat.png)', 'auto'],
  ])('an image alone stands as its description is written, not as the words of its key: %s', (_, text, direction) => {
    const {container} = show(text, {foreignImages: 'framed'})
    expect(container.querySelector('p')?.getAttribute('dir') ?? null).toBe(direction)
  })

  test('the words of its key do not count for the direction of the words beside it', () => {
    const {container} = show('![boat](https://foo.example/boat.png) A boat.', {foreignImages: 'framed'})
    const isolated = container.querySelector('p > [dir]')
    expect(isolated?.contains(screen.getByRole('button'))).toBe(true)
  })

  test('the room of an image is kept until it has come', () => {
    show('![one](/files/1.png)')
    const image = screen.getByRole('img', {name: 'one'})
    expect(image.dataset['loading']).toBe('true')
    fireEvent.load(image)
    expect(image.dataset['loading']).toBeUndefined()
  })

  test.each(['/auth/logout', '/files/../auth/logout', '/files', 'https://files.example/api/v1/users/me'])(
    'any other address of our own hosts makes no request: %s',
    (address) => {
      const {container} = show(`![x](${address})`)
      expect(container.querySelector('img')).toBeNull()
    },
  )
})
