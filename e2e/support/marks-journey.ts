import {expect, type Page} from '@playwright/test'
import {desktopChat} from './desktop.ts'
import {expectGoodInBothThemes} from './phone.ts'
import {press} from './press.ts'

/**
 * The marks of three conversations of the list in view, the same on a phone and on a desktop, in any language: one is
 * pinned, one archived and brought back, one labelled.
 */
export async function pinArchiveAndLabel(page: Page): Promise<void> {
  const {word, button, list, listed, row, dialog, chooseOfRow} = await desktopChat(page)
  await chooseOfRow('Trains إلى بيروت', 'chat.pin')
  await expect(list.getByRole('heading').first()).toHaveText(word('chat.pinned'))
  await expect(listed.first()).toHaveText('Trains إلى بيروت')
  await chooseOfRow('الطقس', 'chat.archiveOne')
  await expect(row('الطقس')).toHaveCount(0)
  await press(button(page, 'common.undo'))
  await expect(row('الطقس')).toBeVisible()

  await chooseOfRow('Kites of the harbour', 'chat.labelEdit')
  const labels = dialog('chat.labelTitle')
  await labels.getByRole('textbox', {name: word('chat.labelNew')}).fill('عطلة')
  await press(button(labels, 'chat.labelAdd'))
  await expect(labels.getByRole('checkbox', {name: 'عطلة'})).toBeChecked()
  await expectGoodInBothThemes(page, 'labels')
  await press(button(labels, 'chat.labelSave'))
  await expect(row('Kites of the harbour').getByRole('img', {name: 'عطلة'})).toBeVisible()
  await expectGoodInBothThemes(page, 'a list with marks')
}
