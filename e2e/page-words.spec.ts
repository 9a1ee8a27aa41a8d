import {composer, expect, test} from './fixtures.ts'

test.describe('without scripts', () => {
  test.use({javaScriptEnabled: false, locale: 'ar'})

  test('the page says in the language of the browser what it needs', async ({page, installation}) => {
    await page.goto(installation.url)
    // Playwright takes no text from such an element
    expect(await page.locator('noscript').innerHTML()).toBe('يحتاج Atrium إلى JavaScript.')
    await expect(page.locator('noscript')).toBeInViewport()
    await expect(page.locator('html')).toHaveAttribute('lang', 'ar')
    await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
  })
})

test.describe('a network that breaks', () => {
  test.use({locale: 'de-DE'})

  test('while the script of the page comes leaves a sentence and a way to try again', async ({page, installation}) => {
    await page.route('**/assets/*.js', (route) => route.abort())
    await page.goto(installation.url)
    await expect(page.getByText('Atrium konnte nicht geladen werden.')).toBeVisible()
    await expect(page.locator('.skeleton')).toHaveCount(0)
    await page.unrouteAll({behavior: 'wait'})
    await page.getByRole('link', {name: 'Neu laden'}).click()
    await expect(page.getByRole('button', {name: 'Anmelden'}).first()).toBeVisible()
    await expect(page.getByText('Atrium konnte nicht geladen werden.')).toHaveCount(0)
  })
})

test('a language that does not come leaves the page in English and says so; both change when it comes', async ({
  chat,
  installation,
}) => {
  const html = chat.locator('html')
  let isCut = true
  // the words of a language are known by its letters
  await chat.route(/\/assets\/.*\.js/, async (route) => {
    const response = await route.fetch()
    const isArabic = /[\u0620-\u064a]{4}/.test(await response.text())
    await (isCut && isArabic ? route.abort() : route.fulfill({response}))
  })
  await chat.goto(`${installation.url}/chatgpt?lang=ar`)
  await expect(composer(chat)).toBeVisible()
  await expect(html).toHaveAttribute('lang', 'en')
  await expect(html).toHaveAttribute('dir', 'ltr')
  isCut = false
  await chat.getByRole('link', {name: 'Image', exact: true}).click()
  await expect(html).toHaveAttribute('lang', 'ar')
  await expect(html).toHaveAttribute('dir', 'rtl')
  await expect(chat.getByRole('link', {name: 'Image', exact: true})).toHaveCount(0)
})
