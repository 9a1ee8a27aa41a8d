import {answers, ask, composer, expect, test} from './fixtures.ts'

test.beforeEach(({modelServer}) => modelServer.answer((prompt) => `You said: ${prompt}`))

test('register, accept, ask: words appear while the provider still writes', async ({page, person, modelServer}) => {
  expect(person.email).toContain('@')
  modelServer.answer('First words of a long answer that ends here.')
  modelServer.hold()
  await ask(page, 'What is it?')
  await expect(answers(page).first()).toContainText('What is it?')
  modelServer.release()
  await expect(answers(page).last()).toContainText('that ends here.')
  await expect(page).toHaveURL(/\/chatgpt\/conversations\/[\w-]+$/)
})

test('a reload shows the same text', async ({page, person, modelServer}) => {
  expect(person.email).toContain('@')
  modelServer.answer('**Bold** and `code`, then an end.')
  await ask(page, 'Again?')
  await expect(answers(page).last()).toContainText('then an end.')
  const before = await answers(page).last().innerText()
  await page.reload()
  await expect(answers(page).last()).toContainText('then an end.')
  expect(await answers(page).last().innerText()).toBe(before)
})

test('stop keeps the text and says so', async ({page, person, modelServer}) => {
  expect(person.email).toContain('@')
  modelServer.answer((_) => 'one '.repeat(2000))
  await ask(page, 'Count')
  await expect(answers(page).last()).toContainText('one')
  await page.getByRole('button', {name: 'Stop'}).click()
  await expect(page.getByText('Stopped.')).toBeVisible()
  await expect(answers(page).last()).toContainText('one')
  await expect(composer(page)).toBeEnabled()
})
