import {afterEach, describe, expect, test, vi} from 'vitest'
import {writeClipboard} from '#ui/clipboard.ts'

const withClipboard = (clipboard: object | undefined) => vi.stubGlobal('navigator', {clipboard})

const withCommand = (command: () => boolean) => {
  const copied: string[] = []
  document.execCommand = vi.fn(() => {
    copied.push((document.activeElement as HTMLTextAreaElement).value)
    return command()
  })
  return copied
}

afterEach(() => {
  vi.unstubAllGlobals()
  document.body.replaceChildren()
})

describe('clipboard', () => {
  test('the async clipboard where there is one', async () => {
    const writeText = vi.fn(async () => undefined)
    withClipboard({writeText})
    await writeClipboard('foo')
    expect(writeText).toHaveBeenCalledWith('foo')
  })

  test.each([
    ['missing', undefined],
    ['refused', {writeText: () => Promise.reject(new DOMException('no', 'NotAllowedError'))}],
  ])('%s: by selection, leaving the page as it was', async (_, clipboard) => {
    withClipboard(clipboard)
    const copied = withCommand(() => true)
    const button = document.body.appendChild(document.createElement('button'))
    button.focus()
    await writeClipboard('foo\nbar')
    expect(copied).toEqual(['foo\nbar'])
    expect(document.activeElement).toBe(button)
    expect(document.querySelector('textarea')).toBeNull()
  })

  test('inside a modal dialog the field stands in the dialog: all else is inert', async () => {
    withClipboard(undefined)
    let host: Element | null = null
    withCommand(() => {
      host = document.activeElement?.parentElement ?? null
      return true
    })
    const dialog = document.body.appendChild(document.createElement('div'))
    dialog.setAttribute('role', 'dialog')
    const button = dialog.appendChild(document.createElement('button'))
    button.focus()
    await writeClipboard('foo')
    expect(host).toBe(dialog)
  })

  test('rejects when the browser refused both ways', async () => {
    withClipboard(undefined)
    withCommand(() => false)
    await expect(writeClipboard('foo')).rejects.toThrow()
  })
})
