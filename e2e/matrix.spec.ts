import AxeBuilder from '@axe-core/playwright'
import {answers, ask, composer, expect, newPerson, test} from './fixtures.ts'

/*
 * One journey in words of no language: it runs in the projects of the full matrix (phone, Arabic), where the other specs,
 * which speak English to a desktop, do not.
 */
test('register, accept and ask, whatever the language and the width', async ({page, installation, modelServer}) => {
  const person = newPerson()
  modelServer.reset()
  modelServer.answer('An answer that ends here.')
  await page.goto(installation.url)
  await page.locator('a[href*="register"]').click()
  // the page before has an email field too
  await page.waitForURL(/\/auth\/register\?/)
  await page.locator('input[name="email"]').fill(person.email)
  await page.locator('input[name="password"]').fill(person.password)
  await page.locator('form button[type="submit"]').last().click()
  await page.getByRole('dialog').getByRole('button').last().click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await composer(page).waitFor()

  await ask(page, 'foo')
  // Enter is a line break on touch: there the button sends
  const unsent = await composer(page).inputValue()
  if (unsent.trim() !== '') await page.locator('main form button').last().click()
  await expect(answers(page).last()).toContainText('that ends here.')

  const {lang, dir, overflow} = await page.evaluate(() => ({
    lang: document.documentElement.lang,
    dir: document.documentElement.dir,
    overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  }))
  expect(dir).toBe(lang === 'ar' ? 'rtl' : 'ltr')
  expect(overflow).toBe(0)
  const {violations} = await new AxeBuilder({page}).analyze()
  expect(violations.filter(({impact}) => impact === 'serious' || impact === 'critical').map(({id}) => id)).toEqual([])
})
