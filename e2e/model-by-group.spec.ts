import type {Page} from '@playwright/test'
import {ask, expect} from './fixtures.ts'
import {chooseModel, conversations, ended, newChat} from './support/chat-page.ts'
import {openPage, test} from './support/compare-page.ts'
import {secondTab, storedState} from './support/signed-in.ts'

/* Each group of models keeps the model that was chosen in it, in every tab; a conversation keeps its own. */

const groupLink = (page: Page, name: string) =>
  page.getByRole('navigation', {name: 'Model group'}).getByRole('link', {name, exact: true})
const expectModel = (page: Page, name: string) =>
  expect(page.getByRole('banner').getByRole('button', {name: `Model: ${name}`, exact: true})).toBeVisible()
const harbour = 'A harbour of marble and salt'
const sandbox = 'Sandbox (no model)'
/** Goes to the list of a group, where a question is asked of its model. */
async function goToGroup(page: Page, name: string, model: string) {
  await groupLink(page, name).click()
  await expect(groupLink(page, name)).toHaveAttribute('aria-current', 'page')
  await expectModel(page, model)
}

test('each group keeps its model when groups are switched, after a reload, and in a second tab', async ({
  context,
  groups,
}) => {
  const page = await openPage(context, groups, '/chatgpt/conversations')
  await test.step('over switching', async () => {
    await chooseModel(page, /^GPT-4o All-round/)
    await goToGroup(page, 'DeepSeek', 'DeepSeek V3')
    await chooseModel(page, /^Sandbox/)
    await expectModel(page, sandbox)
    await goToGroup(page, 'ChatGPT', 'GPT-4o')
    await goToGroup(page, 'DeepSeek', sandbox)
  })

  await test.step('after a reload', async () => {
    await page.reload()
    await expectModel(page, sandbox)
    await goToGroup(page, 'ChatGPT', 'GPT-4o')
  })

  await test.step('in a second tab, whose choice stays when the first one stores its own', async () => {
    const other = await secondTab(page)
    await expectModel(other, 'GPT-4o')
    await goToGroup(other, 'DeepSeek', sandbox)
    await chooseModel(other, /^DeepSeek V3/)
    await expectModel(other, 'DeepSeek V3')
    await expect.poll(() => storedState(other)).toContain('"deepseek":"deepseek-v3"')
    await chooseModel(page, /^GPT-5 Best/)
    await expectModel(page, 'GPT-5')
    await ask(page, 'one')
    await ended(page)
    await expect.poll(() => storedState(page)).toContain(harbour)
    expect(groups.openai.calls.at(-1)?.model).toBe('gpt-5-all')
    await other.reload()
    await expectModel(other, 'DeepSeek V3')
    await goToGroup(other, 'ChatGPT', 'GPT-5')
  })

  await test.step('beside the model of a conversation', async () => {
    await newChat(page)
    await chooseModel(page, /^GPT-4o All-round/)
    await expectModel(page, 'GPT-4o')
    await conversations(page).getByRole('link', {name: 'one', exact: true}).click()
    await expectModel(page, 'GPT-5')
  })
})
