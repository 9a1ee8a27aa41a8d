import {ask, acceptTerms, answers, expect, newUser, register, test} from './fixtures.ts'
import {alert, composer, conversations, lastMessage} from './support/chat-page.ts'
import {long} from './support/full-run.ts'

test.beforeEach(async ({page, installation, modelServer}) => {
  modelServer.reset()
  await register(page, installation.url, newUser())
  await page.getByRole('dialog').getByRole('button', {name: 'Look around first'}).click()
  await composer(page).waitFor()
})

test('looked around first, then asked: the card leads to the start, and the question goes out by itself', async ({
  page,
  modelServer,
}) => {
  modelServer.answer('words for the newcomer')
  await ask(page, 'Asked too early')
  await expect(alert(page)).toContainText('Turn on this tool to begin.')
  await expect(alert(page).getByRole('button', {name: 'Retry'})).toHaveCount(0)
  await alert(page).getByRole('button', {name: 'Get started'}).click()
  await acceptTerms(page)
  await expect(lastMessage(page)).toContainText('words for the newcomer')
  await expect(answers(page)).toHaveCount(2)
  await expect(answers(page).first()).toContainText('Asked too early')
})

test(
  'asked too early and reloaded: the question is in the list, and one press asks it',
  long,
  async ({page, modelServer}) => {
    modelServer.answer('words for the newcomer')
    await ask(page, 'Asked too early')
    await expect(alert(page)).toBeVisible()
    await page.reload()
    await acceptTerms(page)
    await conversations(page).getByRole('listitem').getByRole('link').click()
    await expect(answers(page).first()).toContainText('Asked too early')
    await alert(page).getByRole('button', {name: 'Retry'}).click()
    await expect(lastMessage(page)).toContainText('words for the newcomer')
    await expect(answers(page)).toHaveCount(2)
  },
)
