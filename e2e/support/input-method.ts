import type {CDPSession, Page} from '@playwright/test'

/*
 * An input method, as those of Japanese and Chinese: it composes in the field with the focus, and takes keys meanwhile.
 */

/** The key code of every press that an input method takes. */
const taken = {windowsVirtualKeyCode: 229, nativeVirtualKeyCode: 229}

export class InputMethod {
  private readonly client: CDPSession

  private constructor(client: CDPSession) {
    this.client = client
  }

  static async of(page: Page): Promise<InputMethod> {
    return new InputMethod(await page.context().newCDPSession(page))
  }

  /** A press that it takes: macOS names the key, others call it `Process`. */
  private async press(key: string): Promise<void> {
    for (const name of [key, 'Process']) {
      const event = {key: name, code: key, ...taken}
      await this.client.send('Input.dispatchKeyEvent', {type: 'rawKeyDown', ...event})
      await this.client.send('Input.dispatchKeyEvent', {type: 'keyUp', ...event})
    }
  }

  /** Shows this text as the one that is composed, in place of the one before. */
  async compose(text: string): Promise<void> {
    await this.press('KeyN')
    await this.show(text)
  }

  /** Moves through its candidates. */
  async choose(text: string): Promise<void> {
    await this.press('ArrowDown')
    await this.show(text)
  }

  /** Enter takes the composed text, and ends the composition with this one. */
  async enter(text: string): Promise<void> {
    await this.press('Enter')
    await this.client.send('Input.insertText', {text})
    // Safari ends the composition before it tells of the press
    await this.press('Enter')
  }

  /** Escape gives the composition up. */
  async escape(): Promise<void> {
    await this.press('Escape')
    await this.show('')
    await this.press('Escape')
  }

  private show(text: string): Promise<unknown> {
    const {length} = text
    return this.client.send('Input.imeSetComposition', {text, selectionStart: length, selectionEnd: length})
  }
}
