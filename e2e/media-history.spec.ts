import {readLocale} from '#tools/locales.mjs'
import {expect, test} from './fixtures.ts'
import {axeFaults} from './support/axe.ts'
import {long} from './support/full-run.ts'
import {cards} from './support/media-page.ts'
import {pixel} from './support/pixel.ts'
import {seedImages} from './support/seeded-tasks.ts'

test.use({locale: 'ar', viewport: {width: 390, height: 844}, hasTouch: true, isMobile: true})

const words: Record<string, string> = readLocale('ar')
const word = (id: string, name = ''): string => (words[id] ?? '').replace('{name}', name)

test(
  'the history on a phone in Arabic: filters in a sheet, what is asked for as chips, nothing that axe finds',
  long,
  async ({chat: page, installation}) => {
    const userId = await page.evaluate(
      // as: the shape of what the app keeps is asserted by tests/browser
      () => (JSON.parse(localStorage.getItem('vuex') ?? '{}') as {user: {id: string}}).user.id,
    )
    const imageUrl = `${installation.url}/made/one.png`
    await page.route('**/made/one.png*', (route) => route.fulfill({contentType: 'image/png', body: pixel}))
    const newest = Math.floor(Date.now() / 1_000) - 60
    await seedImages(installation, {userId, count: 12, newest, imageUrl, failedEvery: 4})
    const expectSound = async () => {
      const over = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      expect(over).toBe(0)
      expect(await axeFaults(page)).toEqual([])
    }

    await page.goto(`${installation.url}/flux/history`)
    await expect(cards(page)).toHaveCount(12)
    await expect(page.getByRole('radiogroup', {name: word('common.mediaLayout')})).toBeVisible()
    await expect(page.getByRole('searchbox')).toHaveCount(0)
    await expectSound()

    await page
      .getByRole('main')
      .getByRole('button', {name: word('common.mediaFilter')})
      .click()
    const sheet = page.getByRole('dialog', {name: word('common.mediaFilter')})
    await sheet.getByRole('searchbox', {name: word('common.mediaSearchPrompts')}).fill('picture 1')
    await sheet.getByRole('button', {name: word('common.mediaFailedFilter')}).click()
    await expectSound()
    await sheet.getByRole('button', {name: word('common.close')}).click()
    await expect(sheet).toHaveCount(0)
    await expect(cards(page)).toHaveCount(1)
    await expectSound()

    await page.getByRole('button', {name: word('common.mediaRemove', word('common.mediaFailedFilter'))}).click()
    await expect(cards(page)).toHaveCount(4)
    await page.getByRole('button', {name: word('common.mediaRemove', 'picture 1')}).click()
    await expect(cards(page)).toHaveCount(12)
    await expect(page.getByRole('button', {name: word('common.mediaClearFilters')})).toHaveCount(0)
  },
)
