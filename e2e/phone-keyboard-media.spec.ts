import {expect, test} from './fixtures.ts'
import {generateButton} from './support/media-page.ts'

/* The settings of a media tool on a phone whose keyboard lies over the page, as that of Safari on iOS. */

test.use({viewport: {width: 390, height: 844}, hasTouch: true, isMobile: true})

test('the button that generates stays above the keyboard, below the field that is typed into', async ({
  tab: page,
  installation,
}) => {
  // stands for the part of the page that is seen; playwright's browsers have no keyboard of their own
  await page.addInitScript(() => {
    const part = Object.assign(new EventTarget(), {height: innerHeight, offsetTop: 0, scale: 1})
    Object.defineProperty(window, 'visualViewport', {value: part})
  })
  await page.goto(`${installation.url}/flux`)
  await page
    .getByRole('main')
    .getByRole('button', {name: /^Settings: /})
    .tap()
  const sheet = page.getByRole('dialog', {name: 'Settings'})
  const field = sheet.getByRole('textbox').first()
  await field.tap()
  await page.evaluate(() => {
    Object.assign(window.visualViewport ?? {}, {height: 430})
    window.visualViewport?.dispatchEvent(new Event('resize'))
  })
  for (const part of [field, generateButton(page)])
    await expect
      .poll(async () => {
        const box = await part.boundingBox()
        return box !== null && box.y >= 0 && box.y + box.height <= 430
      })
      .toBe(true)
})
