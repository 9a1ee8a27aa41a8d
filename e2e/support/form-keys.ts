import {expect, type Locator, type Page} from '@playwright/test'
import {messageId} from '#contract/media/media-screen.ts'
import type {MediaTool} from '#contract/media/media-tool.ts'
import {defaultsOf, shownFields, type AnyField, type AnyForm, type AnyScreen} from '#features/media/any-tool.ts'
import {expectSeenFocus, tabTo} from './keyboard.ts'
import {pixel} from './pixel.ts'

type Fields = {
  page: Page
  /** The sheet with the form. */
  sheet: Locator
  tool: MediaTool
  screen: AnyScreen
  /** The messages of the language on screen. */
  words: Record<string, string>
}

/**
 * Works through the form of a tool with nothing but keys: every field that its screen names, in that order. Each is
 * changed and put back; texts, and what the tool cannot do without, stay.
 */
export async function fillByKeys({page, sheet, tool, screen, words}: Fields, prompt: string): Promise<void> {
  // choosers are caught from now on: one that is waited for with the press itself may open before the browser is asked
  page.on('filechooser', () => {})
  const form: AnyForm = defaultsOf(tool)
  const needed = tool.faults(form).map(({field}) => field)
  const work = async (fields: readonly AnyField[]) => {
    for (const field of fields) {
      const label = words[messageId(tool.identity.id, field.label)] ?? field.label
      const control = controlOf(sheet, field, label)
      await tabTo(page, control)
      await change(page, control, field, {prompt, isNeeded: needed.includes(field.key)})
      await expectSeenFocus(page)
    }
  }
  await work(shownFields(screen, form, 'main'))
  const advanced = shownFields(screen, form, 'advanced')
  if (advanced.length > 0) {
    await tabTo(page, sheet.locator('summary', {hasText: words['common.mediaAdvanced'] ?? ''}))
    await page.keyboard.press('Enter')
    await work(advanced)
  }
  await work(shownFields(screen, form, 'foot'))
}

function controlOf(sheet: Locator, {kind}: AnyField, label: string): Locator {
  // a count or "optional" stands behind it
  const name = new RegExp(`^${label.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}(?: |\\d|$)`)
  const named = (role: Parameters<Locator['getByRole']>[0]) => sheet.getByRole(role, {name})
  switch (kind) {
    case 'prompt':
    case 'lyrics':
    case 'text':
      return named('textbox')
    case 'number':
      return named('spinbutton')
    case 'slider':
      return named('slider')
    case 'switch':
      return named('switch')
    case 'select':
      return named('combobox')
    case 'segmented':
    case 'ratio':
    case 'tabs':
      return named('radiogroup').or(named('combobox'))
    case 'tiles':
    case 'chips':
    case 'files':
    case 'taskRef':
      return named('group')
  }
}

const valueOf = (control: Locator): Promise<string> =>
  control.evaluate((element) => ('value' in element ? String(element.value) : ''))

/**
 * Another value by a key, and back by its opposite; a key at the end of a scale does nothing, then the other goes
 * first.
 */
async function thereAndBack(page: Page, read: () => Promise<string>, keys: readonly [string, string]): Promise<void> {
  const before = await read()
  await page.keyboard.press(keys[0])
  const isMoved = (await read()) !== before
  const [there, back] = isMoved ? keys : [keys[1], keys[0]]
  if (!isMoved) await page.keyboard.press(there)
  expect(await read()).not.toBe(before)
  await page.keyboard.press(back)
  expect(await read()).toBe(before)
}

type Wish = {prompt: string; isNeeded: boolean}

/** Changes the field that has the focus. */
async function change(page: Page, control: Locator, field: AnyField, {prompt, isNeeded}: Wish): Promise<void> {
  const focused = page.locator(':focus')
  const press = (key: string) => page.keyboard.press(key)
  const pressed = () => focused.getAttribute('aria-pressed')
  switch (field.kind) {
    case 'prompt':
    case 'lyrics':
    case 'text':
      // an empty field begins where the page does
      expect(await control.evaluate((element) => getComputedStyle(element).direction)).toBe('rtl')
      await page.keyboard.insertText(field.kind === 'prompt' ? prompt : 'atrium')
      return expect(control).toHaveValue(field.kind === 'prompt' ? prompt : 'atrium')
    case 'number':
      await page.keyboard.type(String(field.least + 1))
      return expect(control).toHaveValue(String(field.least + 1))
    case 'slider':
      return thereAndBack(page, () => valueOf(control), ['ArrowUp', 'ArrowDown'])
    case 'switch':
      return thereAndBack(page, async () => String(await control.isChecked()), ['Space', 'Space'])
    case 'select':
      return thereAndBack(page, () => valueOf(control), ['ArrowDown', 'ArrowUp'])
    case 'segmented':
    case 'ratio':
    case 'tabs':
      if ((await control.getAttribute('role')) !== 'radiogroup')
        return thereAndBack(page, () => valueOf(control), ['ArrowDown', 'ArrowUp'])
      // the text runs to the left, and so do the choices
      return thereAndBack(page, () => control.getByRole('radio', {checked: true}).innerText(), [
        'ArrowLeft',
        'ArrowRight',
      ])
    case 'tiles':
      await press('Enter')
      expect(await pressed()).toBe('true')
      if (isNeeded || field.isClearable !== true) return
      await press('Space')
      return expect(await pressed()).toBe('false')
    case 'chips':
      await press('Enter')
      await control.getByRole('button').first().waitFor()
      await press('Tab')
      await press('Space')
      expect(await pressed()).toBe('true')
      await press('Enter')
      return expect(await pressed()).toBe('false')
    case 'files': {
      const chooser = page.waitForEvent('filechooser')
      await press('Enter')
      if (isNeeded) await (await chooser).setFiles({name: 'portrait.png', mimeType: 'image/png', buffer: pixel})
      else await chooser
      return
    }
    case 'taskRef':
      return
  }
}
