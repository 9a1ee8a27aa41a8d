import {expect} from './fixtures.ts'
import {composer, ended, lastMessage, offeredModel} from './support/chat-page.ts'
import {openPage, test} from './support/compare-page.ts'
import {long} from './support/full-run.ts'
import {arabicPhone, expectForFingers, expectGoodInBothThemes, startOf} from './support/phone.ts'
import {press} from './support/press.ts'
import {wordsOf} from './support/words-of.ts'

/* The search of the model picker finds models of other groups; what was typed and attached goes along. */

for (const {where, device} of [
  {where: 'on a desktop', device: {}},
  {where: 'on a phone in Arabic', device: arabicPhone},
]) {
  test.describe(where, () => {
    test.use(device)

    test('a model of another group is found, and text and file go along', long, async ({context, groups}) => {
      const page = await openPage(context, groups, '/deepseek/conversations')
      const word = await wordsOf(page)
      const model = page.getByRole('banner').getByRole('button', {name: startOf(word('chat.chooseModel'))})
      const models = page.getByRole('grid')
      const search = page.getByRole('combobox', {name: word('chat.modelSearch')})
      const file = page.locator('main form').getByRole('listitem').filter({hasText: 'notes.txt'})
      const choose = async (query: string, name: RegExp) => {
        await press(model)
        await expect(models).toBeVisible()
        await expect(models.getByText(word('chat.modelElsewhere'))).toHaveCount(0)
        await search.fill(query)
        await expect(models.getByText(word('chat.modelElsewhere'))).toBeVisible()
        if (where !== 'on a desktop') await expectForFingers(page, models)
        await expectGoodInBothThemes(page, 'a model of another group')
        await press(offeredModel(page, name))
        await expect(models).toHaveCount(0)
      }

      await composer(page).fill('Read it')
      await choose('gpt-5', startOf(`GPT-5 ${word('chat.modelGpt5All')}`))
      await expect(page).toHaveURL(/\/chatgpt\/conversations$/)
      await expect(composer(page)).toHaveValue('Read it')
      await page
        .locator('main input[type=file]')
        .setInputFiles({name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('heron')})
      await expect(file).toContainText(word('chat.ready'))

      await choose('deepseek', /^DeepSeek V3/)
      await expect(page).toHaveURL(/\/deepseek\/conversations$/)
      await expect(composer(page)).toHaveValue('Read it')
      await expect(file).toBeVisible()
      await expect(
        page.getByText(word('chat.filesUnsupported').replace('{model}', 'DeepSeek V3'), {exact: true}),
      ).toBeVisible()
      await expectGoodInBothThemes(page, 'a file that the model cannot read')

      await choose('gpt-5', startOf(`GPT-5 ${word('chat.modelGpt5All')}`))
      await expect(file).toContainText(word('chat.ready'))
      await press(page.getByRole('button', {name: word('chat.send'), exact: true}))
      await expect(lastMessage(page)).toContainText('A harbour of marble and salt')
      await ended(page)
      expect(JSON.stringify(groups.openai.calls.at(-1)?.messages)).toContain('heron')
      expect(groups.deepseek.calls).toEqual([])
    })
  })
}
